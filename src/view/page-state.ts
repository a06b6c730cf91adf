import { edgeGlobals, type Template } from 'edge.js'
import { escapedValues } from './attributes.ts'
import { isReserved, type ReservedNames } from './reserved-names.ts'

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
export class PageState implements ReservedNames {
  [name: string]: unknown
  readonly auth: unknown
  readonly csrf: unknown
  readonly csp: unknown
  readonly flash: unknown
  readonly $url: unknown
  readonly $asset: unknown
  readonly $i18n: unknown

  /**
   * @param names The reserved names; other values are left out.
   * @param values Values of the page.
   */
  constructor(names: Partial<ReservedNames>, values: Readonly<Record<string, unknown>>) {
    this.auth = names.auth
    this.csrf = names.csrf
    this.csp = names.csp
    this.flash = names.flash
    this.$url = names.$url
    this.$asset = names.$asset
    this.$i18n = names.$i18n
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
