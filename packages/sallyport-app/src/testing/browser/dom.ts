/** As much of the DOM as the functions that run inside a page need: the project itself is compiled without it. @module */

/** Computed style of an element. */
export interface Style {
  /** Reads a property of CSS; empty where there is none. */
  readonly getPropertyValue: (name: string) => string
}

/** An element. */
export interface DomElement {
  /** Its name in capitals. */
  readonly tagName: string
  /** The element that it is in. */
  readonly parentElement: DomElement | null
  /** What is in it: 3 is the type of text. */
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly textContent: string | null }>
  /** The text in it. */
  readonly textContent: string | null
  /** The labels of a field. */
  readonly labels?: Iterable<DomElement> | null
  /** Its identifier; empty for none. */
  readonly id: string
  /** Whether it is drawn. */
  readonly checkVisibility: () => boolean
  /** Reads an attribute; null where there is none. */
  readonly getAttribute: (name: string) => string | null
  /** Where it is in the window, in pixels. */
  readonly getBoundingClientRect: () => {
    readonly left: number
    readonly right: number
    readonly top: number
    readonly bottom: number
    readonly width: number
    readonly height: number
  }
  /** Puts elements behind what is in it. */
  readonly append: (...children: DomElement[]) => void
}

/** Global object of a page. */
export interface DomGlobals {
  /** The page. */
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
  /** Its address. */
  readonly location: { readonly pathname: string }
  /** The browser. */
  readonly navigator: {
    readonly language: string
    readonly clipboard: { readText(): Promise<string>; writeText: (text: string) => Promise<void> }
  }
  /** What the person has selected. */
  readonly getSelection: () => { toString(): string } | null
  /** Style of an element, or of what CSS puts before it. */
  readonly getComputedStyle: (element: DomElement, pseudo?: string) => Style
  /** Listens to pages that come back. */
  readonly addEventListener: (
    type: 'pageshow',
    listener: (event: { readonly persisted: boolean }) => void,
  ) => void
  /** What a test leaves there: whether the page came back alive. */
  restored?: boolean
  /** What a script leaves there that must not run. */
  intruder?: boolean
}
