// Small line icons; a word always stands beside them.

const PATHS = {
  check: "M3.5 8.5l3 3 6-7",
  cross: "M4 4l8 8M12 4l-8 8",
  ban: "M3.8 3.8l8.4 8.4M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2z",
  warn: "M8 2.5l6 10.7H2zM8 6.5v3M8 11.4v.1",
  clock: "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2zM8 4.8V8l2.2 1.6",
  hand: "M8 2l5 2v3.6c0 3-2 5.2-5 6.4-3-1.2-5-3.4-5-6.4V4z",
  out: "M9 3h4v4M13 3L7.5 8.5M6.5 4H3v9h9V9.5",
  stop: "M4.5 4.5h7v7h-7z",
  dots: "M3.6 8h.1M8 8h.1M12.4 8h.1",
  bulb: "M6 11.5h4M6.5 13.8h3M8 2.2a4 4 0 0 0-2.3 7.3c.4.3.6.7.6 1.2v.8h3.4v-.8c0-.5.2-.9.6-1.2A4 4 0 0 0 8 2.2z",
  pen: "M3 13l.7-2.8L11 3l2 2-7.2 7.3z",
  tool: "M13.2 4.8a3.4 3.4 0 0 1-4.5 4.1L5 12.6a1.3 1.3 0 0 1-1.8-1.8l3.7-3.7A3.4 3.4 0 0 1 11 2.6L9 4.7 9.3 6.5 11.1 6.8z",
  plug: "M5.5 2.5v3M10.5 2.5v3M4 5.5h8V8a4 4 0 0 1-8 0zM8 12v2",
  copy: "M6 6h7v7H6zM3 10V3h7",
  down: "M8 3v9M4.5 8.8L8 12.3l3.5-3.5",
  chevron: "M6 4l4 4-4 4",
  image: "M2.5 3.5h11v9h-11zM5.4 6.4h.1M3 11.5l3-3 2 2 2.5-2.5 2.7 2.7",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  info: "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2zM8 7.3v3.5M8 5.1v.1",
  ring: "M8 2.5A5.5 5.5 0 1 1 2.5 8",
} as const;

export type IconName = keyof typeof PATHS;
const SVG = "http://www.w3.org/2000/svg";

export function icon(name: IconName, classes = ""): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", `nbas-icon${classes ? ` nbas-${classes}` : ""}`);
  svg.setAttribute("aria-hidden", "true");
  svg.dataset.icon = name;
  path.setAttribute("d", PATHS[name]);
  svg.appendChild(path);
  return svg;
}

/** Put `name` where an icon stands, if another one is there. */
export function swapIcon(holder: Element, name: IconName, classes = ""): void {
  const current = holder.firstElementChild;
  if (current instanceof SVGElement && current.dataset.icon === name) return;
  holder.replaceChildren(icon(name, classes));
}
