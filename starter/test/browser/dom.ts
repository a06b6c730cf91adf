/** As much of the DOM as the functions that run inside a page need: the project itself is compiled without it. @module */

/** Computed style of an element. */
export interface Style {
  getPropertyValue(name: string): string
}

/** An element. */
export interface DomElement {
  readonly tagName: string
  readonly parentElement: DomElement | null
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly textContent: string | null }>
  readonly textContent: string | null
  readonly labels?: Iterable<DomElement> | null
  readonly id: string
  checkVisibility(): boolean
  getAttribute(name: string): string | null
  getBoundingClientRect(): {
    readonly left: number
    readonly right: number
    readonly top: number
    readonly bottom: number
    readonly width: number
    readonly height: number
  }
  append(...children: DomElement[]): void
}

/** Global object of a page. */
export interface DomGlobals {
  readonly document: {
    readonly documentElement: {
      readonly clientWidth: number
      readonly scrollWidth: number
      readonly lang: string
    }
    readonly activeElement: DomElement | null
    readonly body: DomElement
    readonly title: string
    querySelectorAll(selector: string): Iterable<DomElement>
    createElement(name: string): DomElement & { textContent: string | null }
  }
  readonly location: { readonly pathname: string }
  readonly navigator: {
    readonly language: string
    readonly clipboard: { readText(): Promise<string>; writeText: (text: string) => Promise<void> }
  }
  getSelection(): { toString(): string } | null
  getComputedStyle(element: DomElement, pseudo?: string): Style
  addEventListener(type: 'pageshow', listener: (event: { readonly persisted: boolean }) => void): void
  restored?: boolean
  intruder?: boolean
}
