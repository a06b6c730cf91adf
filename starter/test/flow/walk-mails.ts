import type { World } from '../support.ts'
import { type LinkKind, LINKS } from './model-state.ts'

const PATTERNS: Readonly<Record<LinkKind, RegExp>> = {
  unlock: /\/unlock\/[\w-]{43}/,
  address: /\/address\/confirm\/[\w-]{43}/,
  restore: /\/address\/restore\/[\w-]{43}/,
  lost: /\/lost\/confirm\/[\w-]{43}/,
  'lost-stop': /\/lost\/cancel\/[\w-]{43}/,
}
const ENROLLMENT = /\/enroll\/confirm\/[\w-]{43}/
// A page that no mail names.
const NONE = '0'.repeat(43)

/** The mails since a walk began, and their links. */
export class WalkMails {
  readonly #world: World
  readonly #links = new Map<LinkKind, string[]>(LINKS.map((kind) => [kind, []]))
  #last: unknown

  /** @param world Where the mails are. */
  constructor(world: World) {
    this.#world = world
    this.#last = world.mailbox.list()[0]
  }

  /** Reads what has come since the last call. @returns The link that goes on with an enrollment; empty when none came. */
  collect(): string {
    const mails = this.#world.mailbox.list()
    const known = mails.findIndex((mail) => mail === this.#last)
    const fresh = known === -1 ? mails : mails.slice(0, known)
    this.#last = mails[0]
    let enrollment = ''
    for (const { text } of fresh.toReversed()) {
      enrollment = ENROLLMENT.exec(text)?.[0] ?? enrollment
      for (const kind of LINKS) {
        const link = PATTERNS[kind].exec(text)?.[0]
        if (link !== undefined) this.#links.get(kind)?.push(link)
      }
    }
    return enrollment
  }

  /** @returns Its number and its path; one that leads nowhere if so many did not come. */
  link(kind: LinkKind, age: number): { readonly index: number; readonly path: string } {
    const links = this.#links.get(kind) ?? []
    const index = links.length - 1 - age
    return {
      index,
      path: links[index] ?? PATTERNS[kind].source.replaceAll('\\', '').replace('[w-]{43}', NONE),
    }
  }

  /** @returns How many links of each kind came. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#links].map(([kind, links]) => [kind, links.length]))
  }
}
