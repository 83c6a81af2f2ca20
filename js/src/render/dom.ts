// Elements without innerHTML: foreign text can only ever become a text node.

export type Child = Node | string | null | undefined | false;

/** Make an element: tag, classes (without the prefix), attributes, children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, classes: string, attributes: Record<string, string> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (classes) element.className = classes.split(" ").map((name) => `nbas-${name}`).join(" ");
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  add(element, ...children);
  return element;
}

export function add(parent: Node, ...children: Child[]): void {
  for (const child of children) {
    if (child) parent.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
  }
}

export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  add(parent, ...children);
}

/** Change text only if it differs, so that selections and live regions are left alone. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setData(element: HTMLElement, key: string, value: string): void {
  if (element.dataset[key] !== value) element.dataset[key] = value;
}

export function show(element: HTMLElement, visible: boolean): void {
  if (element.hidden === visible) element.hidden = !visible;
}

/**
 * A button whose keys stay with it: notebooks would take Enter for a command, and Shift+Enter ("run the cell") must not press it.
 */
export function button(classes: string, label: Child[], action: (event: Event) => void, name?: string): HTMLButtonElement {
  const element = h("button", classes, { type: "button", "data-lm-suppress-shortcuts": "true" }, ...label);
  if (name) element.setAttribute("aria-label", name);
  element.addEventListener("click", action);
  element.addEventListener("keydown", pressKeys);
  return element;
}

/** A box to tick, with its words. */
export function checkbox(classes: string, label: Child[], changed: () => void): { el: HTMLLabelElement; box: HTMLInputElement } {
  const box = h("input", "", { type: "checkbox", "data-lm-suppress-shortcuts": "true" });
  box.addEventListener("change", changed);
  box.addEventListener("keydown", pressKeys);
  return { el: h("label", classes, {}, box, h("span", "", {}, ...label)), box };
}

function pressKeys(event: KeyboardEvent): void {
  if (event.key !== "Enter" && event.key !== " ") return;
  if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) event.preventDefault();
  else event.stopPropagation();
}

/** A line of text that keeps what is typed from the notebook's shortcuts; Enter is `done`. */
export function textline(classes: string, label: string, placeholder: string, done: () => void): HTMLInputElement {
  const element = h("input", classes, { type: "text", "aria-label": label, placeholder, "data-lm-suppress-shortcuts": "true" });
  element.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    if (event.key === "Enter" && plain) done();
  });
  return element;
}

/** A text area that keeps what is typed from the notebook's shortcuts. */
export function textarea(classes: string, label: string, rows: number, placeholder: string): HTMLTextAreaElement {
  const element = h("textarea", classes, { "aria-label": label, rows: String(rows), placeholder, "data-lm-suppress-shortcuts": "true" });
  element.addEventListener("keydown", (event) => event.stopPropagation());
  return element;
}
