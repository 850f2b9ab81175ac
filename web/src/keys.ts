/** Whether single keys do something, which a person may turn off. */
const KEY = 'gradus-keys';
/** For browsers that forbid to remember. */
let isOn = true;

/** As somebody chose; on by default. */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off' && isOn;
  } catch {
    return isOn;
  }
}

/** Turns them on or off, for later visits as well. */
export function turnKeys(on: boolean): void {
  isOn = on;
  try {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    // then it holds until the page is closed
  }
}

/** Leads to the measure: its list in the view that is open, or the field of the settings. */
export function focusMeasure(): void {
  const list = document.querySelector<HTMLElement>('#main [data-key=m]');
  if (list !== null) {
    list.focus();
    return;
  }
  const settings = document.querySelector<HTMLElement>('[aria-controls=settings]');
  if (settings?.getAttribute('aria-expanded') === 'false') settings.click();
  requestAnimationFrame(() => document.getElementById('measure-field')?.focus());
}
