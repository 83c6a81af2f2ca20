// When a person can see something for the first time: it stands in the window, of a page that is not hidden.

/** Call `seen` once, then; gives a function that ends the watch. */
export function whenSeen(el: HTMLElement, seen: () => void): () => void {
  const page = el.ownerDocument;
  let within = false;
  const look = () => {
    if (!within || page.visibilityState !== "visible") return;
    end();
    seen();
  };
  const observer = new IntersectionObserver((entries) => {
    within = entries.at(-1)?.isIntersecting ?? within;
    look();
  });
  const end = () => {
    observer.disconnect();
    page.removeEventListener("visibilitychange", look);
  };
  page.addEventListener("visibilitychange", look);
  observer.observe(el);
  return end;
}
