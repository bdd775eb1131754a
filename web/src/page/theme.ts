// Light or dark: as the system says, or as the user chose.

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen === undefined ? window.matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
}

export function toggleTheme(): void {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
}
