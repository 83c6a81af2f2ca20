// Links from foreign text: allow-listed schemes, and the reader sees where they lead.
import { h } from "./dom";

const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** The URL if it may be a link, else null. */
export function safeUrl(text: string): URL | null {
  try {
    const url = new URL(text);
    return SCHEMES.has(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

/** Make `anchor` lead to `target`, or say why it does not. */
export function pointTo(anchor: HTMLAnchorElement, target: string): void {
  const url = safeUrl(target);
  if (!url) {
    anchor.className = "nbas-refused";
    anchor.title = `not a link: ${target.slice(0, 200)}`;
    return;
  }
  anchor.href = url.href;
  anchor.title = url.href;
  anchor.target = "_blank";
  anchor.rel = "noopener noreferrer";
}

/** The host, for a link whose text does not say it. */
export function hostNote(anchor: HTMLAnchorElement): HTMLElement | null {
  if (!anchor.hasAttribute("href")) return null;
  const url = safeUrl(anchor.href);
  const host = url?.protocol === "mailto:" ? url.pathname : url?.host;
  return host && !anchor.textContent?.includes(host) ? h("span", "host", {}, host) : null;
}
