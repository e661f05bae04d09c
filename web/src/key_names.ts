// Names of keys, and the keys that the focused element needs for itself.

const kLabels: Record<string, string> = {
  ' ': 'Space',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  pageup: 'Page up',
  pagedown: 'Page down',
  escape: 'Esc',
  '-': '−',
};

// The text on the key cap; `key` is KeyboardEvent.key, in any case.
export function keyLabel(key: string): string {
  const name = key.toLowerCase();
  return kLabels[name] ?? name[0]!.toUpperCase() + name.slice(1);
}

const kSliderKeys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'];

export function isTextField(element: EventTarget|null): boolean {
  return element instanceof Element &&
      element.closest(
          'input:not([type=range], [type=checkbox], [type=radio], [type=button]), select, textarea, ' +
          '[contenteditable]') !== null;
}

// Whether the focused element uses the key: a text field every key, a slider the arrows, a button Space and Enter.
export function usedByFocus({target, key}: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (isTextField(target)) return true;
  if (target.matches('input[type=range]')) return kSliderKeys.includes(key);
  if (target.matches('button, a[href], summary')) return key === ' ' || key === 'Enter';
  return target.matches('input') && key === ' ';
}
