import { inject } from 'sallyport'

/** What every part says of itself. */
export interface AnyPart {
  /** Its name, of which no other part has the same. */
  readonly name: string
  /** Parts that it builds upon. Default: none. */
  readonly needs?: readonly AnyPart[]
  /** Folder of its templates. Default: none. */
  readonly views?: URL
}

/** Names of what parts give as classes of services. */
export type ServiceName<Part> = {
  [Name in keyof Part]-?: NonNullable<Part[Name]> extends new () => object ? Name : never
}[keyof Part]

/** A service that parts give by this name. */
export type ServiceOf<Part, Name extends keyof Part> =
  NonNullable<Part[Name]> extends new () => infer Service ? Service : never

/** The parts that an application consists of, whatever a part is there. */
export class PartList<Part extends AnyPart> {
  /** All of them, in their order. */
  readonly all: readonly Part[]

  /**
   * @param all The parts.
   * @throws {Error} If two have the same name, or one needs a part that is not there.
   */
  constructor(all: readonly Part[]) {
    const names = all.map(({ name }) => name)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined)
      throw new Error(`Cannot have two parts "${twice}": use another name for one of them`)
    const present: readonly AnyPart[] = all
    for (const { name, needs = [] } of all) {
      const missing = needs.find((part) => !present.includes(part))
      if (missing !== undefined)
        throw new Error(
          `Cannot use the part "${name}" without "${missing.name}": add that one to parts.ts, too`,
        )
    }
    this.all = all
  }

  /**
   * Makes the services that parts give, for a service that is being made.
   *
   * @param name Name of what they give.
   * @returns The services, in the order of the parts.
   */
  services<Name extends ServiceName<Part>>(name: Name): readonly ServiceOf<Part, Name>[] {
    return this.all.flatMap((part) => {
      const given = part[name] as (new () => ServiceOf<Part, Name> & object) | undefined
      return given === undefined ? [] : [inject(given)]
    })
  }

  /**
   * Asks one part after the other.
   *
   * @param ask Asks one; undefined for nothing.
   * @returns What they answered.
   */
  async answers<Answer>(
    ask: (part: Part) => Promise<Answer | undefined> | undefined,
  ): Promise<readonly Answer[]> {
    const found: Answer[] = []
    for (const part of this.all) {
      const answer = await ask(part)
      if (answer !== undefined) found.push(answer)
    }
    return found
  }

  /**
   * Lists the folders of their templates, as a `ViewEngine` takes them.
   *
   * @returns The folders by the names of the parts.
   */
  views(): Readonly<Record<string, URL>> {
    const given = this.all.flatMap(({ name, views }) => (views === undefined ? [] : [[name, views] as const]))
    return Object.fromEntries(given)
  }
}
