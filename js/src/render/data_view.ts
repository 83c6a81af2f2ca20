// Data: pictures of known kinds, everything else as a chip with type and size. Nothing remote is loaded without a click.
import type { DataBlock, InlineSource, URLSource } from "../protocol";
import { decode } from "../reducer/base64";
import { blockKey, type BlockRef } from "../store";
import { button, fill, h } from "./dom";
import { bytes } from "./format";
import { icon } from "./icons";
import { safeUrl } from "./links";
import type { Context, View } from "./view";

const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"]);
const SHOWN_BYTES = 5_000_000;

export class DataBlockView implements View<DataBlock> {
  readonly el = h("div", "item data");
  private shown = "";
  private readonly urls: string[] = [];

  /** @param ref where the bytes can be fetched if they were left out */
  constructor(private readonly ref: BlockRef) {}

  update(block: DataBlock, context: Context): void {
    const { source } = block;
    if (source.type === "url") this.once(`url ${source.url}`, () => this.remote(block, source, context));
    else this.inline(block, source, context);
  }

  dispose(): void {
    for (const url of this.urls) URL.revokeObjectURL(url);
  }

  private once(state: string, draw: () => void): void {
    if (this.shown === state) return;
    this.shown = state;
    draw();
  }

  private inline(block: DataBlock, source: InlineSource, context: Context): void {
    const withheld = source.withheld ?? 0;
    const growing = block.finished_at === null && context.store.canAct && withheld === 0 && this.ref.tool_call_id === null;
    if (growing) return this.once("growing", () => this.chip(block, "receiving…"));
    if (withheld > 0) return this.fetched(block, withheld, context);
    const { data } = source;
    this.once(`inline ${data.length}`, () => this.payload(block, decode(data), source.media_type, context));
  }

  private fetched(block: DataBlock, withheld: number, context: Context): void {
    const { store, redraw } = context;
    const loaded = store.fetch(this.ref);
    const request = store.request(blockKey(this.ref));
    if (loaded) {
      return this.once("loaded", () => this.payload(block, loaded.bytes, loaded.mediaType || block.source.media_type, context));
    }
    if (request?.state === "refused" || request?.state === "silent") {
      return this.once(`no ${request.reason}`, () => {
        const again = button("link", ["Try again"], () => { store.fetch(this.ref, true); redraw(); });
        this.chip(block, `${bytes(withheld)} · ${request.reason}`, again);
      });
    }
    this.once(`withheld ${withheld} ${store.connected}`, () =>
      this.chip(block, `${bytes(withheld)} · ${store.connected ? "loading…" : "not saved in the notebook"}`));
  }

  private payload(block: DataBlock, data: Uint8Array | null, type: string, context: Context): void {
    if (!data) return this.chip(block, "damaged: not valid base64");
    const size = bytes(data.length);
    const save = button("link", ["Save"], () => this.save(block, data, type));
    if (!PICTURES.has(type)) return this.chip(block, size, save);
    if (data.length <= SHOWN_BYTES) return this.picture(block, data, type, save);
    const open = button("link", ["Show"], () => { this.picture(block, data, type, save); context.redraw(); });
    this.chip(block, size, open, save);
  }

  private picture(block: DataBlock, data: Uint8Array, type: string, save: HTMLElement): void {
    const image = h("img", "", { alt: `${block.name ?? "Picture"} (${type}, ${bytes(data.length)})`, src: this.url(data, type) });
    image.addEventListener("error", () => this.chip(block, `damaged: not a picture of type ${type}`, save), { once: true });
    const caption = h("figcaption", "", {}, [block.name, type, bytes(data.length)].filter(Boolean).join(" · "), " ", save);
    fill(this.el, h("figure", "", {}, image, caption));
  }

  private remote(block: DataBlock, source: URLSource, context: Context): void {
    const url = safeUrl(source.url);
    if (!url || url.protocol === "mailto:") return this.chip(block, `address that is not opened here: ${source.url.slice(0, 80)}`);
    const open = h("a", "link", { href: url.href, target: "_blank", rel: "noopener noreferrer", title: url.href }, "Open");
    const load = button("link", ["Load picture"], () => {
      const image = h("img", "", { alt: `${block.name ?? "Picture"} from ${url.host}`, referrerpolicy: "no-referrer", src: url.href });
      fill(this.el, h("figure", "", {}, image, h("figcaption", "", {}, url.host)));
      context.redraw();
    });
    this.chip(block, `at ${url.host}`, PICTURES.has(source.media_type) && load, open);
  }

  private chip(block: DataBlock, words: string, ...actions: (HTMLElement | false)[]): void {
    const type = block.source.media_type;
    const name = block.name ?? (type || "data");
    const details = [block.name ? type : "", words].filter(Boolean).join(" · ");
    const symbol = icon(type.startsWith("image/") ? "image" : "file");
    fill(this.el, h("span", "file", {}, symbol, h("bdi", "file-name", {}, name), h("span", "dim", {}, details), ...actions));
  }

  private save(block: DataBlock, data: Uint8Array, type: string): void {
    const link = h("a", "", { href: this.url(data, "application/octet-stream"), download: block.name ?? `data.${type.split("/").at(-1)}` });
    link.click();
  }

  private url(data: Uint8Array, type: string): string {
    const url = URL.createObjectURL(new Blob([data as BlobPart], { type }));
    this.urls.push(url);
    return url;
  }
}
