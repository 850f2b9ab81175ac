export type Theme = 'system' | 'light' | 'dark';

const KEY = 'gradus-theme';

/** What was chosen last time. A browser may forbid to remember. */
export function storedTheme(): Theme {
  try {
    const word = localStorage.getItem(KEY);
    return word === 'light' || word === 'dark' ? word : 'system';
  } catch {
    return 'system';
  }
}

export function applyTheme(theme: Theme, systemIsDark: boolean): void {
  const dark = theme === 'dark' || (theme === 'system' && systemIsDark);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // then it holds until the page is closed
  }
}
