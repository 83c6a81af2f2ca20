// Light or dark as the notebook is, not as the computer is; the computer only where no host says anything.

const DARK_CLASSES = ["vscode-dark", "vscode-high-contrast", "dark", "dark-theme", "theme-dark"];
const LIGHT_CLASSES = ["vscode-light", "vscode-high-contrast-light", "light", "light-theme", "theme-light"];

/** What the host says; null if it says nothing. */
export function hostTheme(): "light" | "dark" | null {
  const { body, documentElement: root } = document;
  const jupyter = body.dataset.jpThemeLight ?? root.dataset.jpThemeLight;
  if (jupyter) return jupyter === "false" ? "dark" : "light";
  const named = root.getAttribute("theme") ?? body.dataset.theme ?? root.dataset.theme;
  if (named === "dark" || named === "light") return named;
  for (const element of [body, root]) {
    if (DARK_CLASSES.some((name) => element.classList.contains(name))) return "dark";
    if (LIGHT_CLASSES.some((name) => element.classList.contains(name))) return "light";
  }
  return null;
}

export type ThemeChoice = "auto" | "light" | "dark";

/** Keep `element` in the chosen theme, or the host's for `auto`; gives the function that ends it. */
export function watchTheme(element: HTMLElement, choice: ThemeChoice): () => void {
  const apply = () => {
    const theme = choice === "auto" ? hostTheme() : choice;
    element.classList.toggle("nbas-own-theme", choice !== "auto");
    if (theme) element.dataset.theme = theme;
    else delete element.dataset.theme;
  };
  apply();
  const observer = new MutationObserver(apply);
  const attributeFilter = ["class", "theme", "data-theme", "data-jp-theme-light"];
  for (const target of [document.body, document.documentElement]) observer.observe(target, { attributes: true, attributeFilter });
  return () => observer.disconnect();
}
