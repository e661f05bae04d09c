// Helper functions that create and update DOM elements.

type Attributes = Record<string, string|((event: Event) => void)>;

export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: Attributes = {}, ...children: (Node|string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === 'function')
      element.addEventListener(name, value);
    else
      element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Sets the text only if it differs, to avoid a new layout.
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
