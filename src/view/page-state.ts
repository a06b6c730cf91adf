import { edgeGlobals, type Template } from 'edge.js'
import { escapedValues } from './attributes.ts'
import { isReserved, RESERVED, type ReservedNames } from './reserved-names.ts'

// Names that edge.js fills, and the one whose assignment would replace the helpers.
const OWNED: ReadonlySet<string> = new Set(['$slots', '$caller', '$props', '__proto__'])

/** What edge.js tells a component. */
export type ComponentFacts = ReturnType<Template['getComponentState']>

/** The same, with `$props` made when it is asked for. */
export interface GivenFacts {
  readonly slots: ComponentFacts['$slots']
  readonly caller: ComponentFacts['$caller']
  readonly props: () => ComponentFacts['$props']
}

/** What a page sees: the reserved names, its own values and, behind them, the helpers of edge.js. */
export class PageState {
  [name: string]: unknown

  /**
   * @param names The reserved names; other values are left out.
   * @param values Values of the page.
   */
  constructor(names: Partial<ReservedNames>, values: Readonly<Record<string, unknown>>) {
    for (const name of RESERVED) this[name] = names[name]
    for (const name of Object.keys(values)) {
      if (!isReserved(name) && !OWNED.has(name)) this[name] = values[name]
    }
  }
}

// Behind the values, because copying dozens of helpers for each component takes longer than rendering it.
const html = edgeGlobals['html'] as { readonly attrs: (values: object) => unknown }
Object.setPrototypeOf(PageState.prototype, {
  ...edgeGlobals,
  html: { ...html, attrs: (values: object) => html.attrs(escapedValues(values)) },
})

/** What a component sees. */
export class ComponentState extends PageState implements ComponentFacts {
  readonly $slots: ComponentFacts['$slots']
  readonly $caller: ComponentFacts['$caller']
  readonly #props: GivenFacts['props']

  /**
   * @param names The reserved names.
   * @param values Values that the component is given.
   * @param facts What edge.js adds.
   */
  constructor(
    names: Partial<ReservedNames>,
    values: Readonly<Record<string, unknown>>,
    { slots, caller, props }: GivenFacts,
  ) {
    super(names, values)
    this.$slots = slots
    this.$caller = caller
    this.#props = props
  }

  /** @returns The values, with methods that write them as attributes. */
  get $props(): ComponentFacts['$props'] {
    return this.#props()
  }
}
