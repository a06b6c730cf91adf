import assert from 'node:assert/strict'
import { type Key as Holder, type KeySteps, ofParts } from '../facts-of-parts.ts'
import { type Browser, PASSWORD, type Person, type World } from '../support.ts'
import { type Act, BROWSERS, NAMES, type Name } from './account-actions.ts'
import { AccountModel } from './account-model.ts'
import type { Answer } from './model-state.ts'
import { WalkDevices } from './walk-devices.ts'
import { WalkMails } from './walk-mails.ts'

/** The passwords of everybody: the first one is the one of the beginning. */
export const PASSWORDS: readonly [string, string, string] = [
  PASSWORD,
  'a quiet orchard in the rain',
  'seven grey herons at low tide',
]
/** A page that needs a login and nothing else. */
export const INSIDE = '/account/security'
/** A page that needs fresh proofs, and mends no loss: of a factor that is not there, it leads back. */
export const GUARDED = '/account/security/factors/none/rename'

/** Steps of a kind. */
export type Only<Do extends string> = Extract<Act, { readonly do: Do }>
/** What the model expects, and what came of the step. */
export type Came = readonly [Answer, { readonly status: number; readonly location: string | null }]

/** How factors without a code are used; undefined where no part has them. */
export const KEYS: KeySteps | undefined = keySteps()

/** A factor without a code, and what holds it. */
export interface Key {
  readonly holder: Holder
  /** Its reference. */
  readonly id: string
}

/** What a browser knows of an enrollment that it began. */
export interface Enrolling {
  readonly name: Name
  readonly link: string
}

/** Who takes part in a walk, what they hold, and the model that they are compared with. */
export class WalkCast {
  readonly world: World
  readonly people: Map<Name, Person>
  readonly browsers: Browser[]
  readonly model: AccountModel
  readonly mails: WalkMails
  readonly devices: WalkDevices
  readonly keys: Key[] = []
  readonly codes: string[] = []
  readonly enrolling: Map<number, Enrolling> = new Map()
  readonly run: number

  private constructor(world: World, people: Map<Name, Person>, run: number) {
    this.world = world
    this.people = people
    this.run = run
    this.mails = new WalkMails(world)
    this.browsers = Array.from({ length: BROWSERS }, () => world.browser())
    this.model = new AccountModel(world.clock.timestamp(), BROWSERS, { ada: true, eve: true, bob: false })
    this.devices = new WalkDevices(world, this.model)
  }

  /** All sequences share one application: each has accounts of its own. */
  static async create(world: World, run: number): Promise<WalkCast> {
    const people = new Map<Name, Person>()
    for (const name of NAMES)
      people.set(name, await world.person(`${name}${run}`, { factor: name === 'bob' ? 'none' : 'enabled' }))
    return new WalkCast(world, people, run)
  }

  /** `address`: which of the addresses of the account. Default: the present one. */
  emailOf(name: string, address: number = this.model.addressOf(name)): string {
    return address === 0
      ? `${name}${this.run}@example.test`
      : `${name}${this.run}-${address}@new.example.test`
  }

  /** The present time step. */
  step(): number {
    return Math.floor(this.model.now / 30)
  }

  /** The browser with this number. */
  browser(index: number): Browser {
    const found = this.browsers[index]
    assert.ok(found !== undefined)
    return found
  }

  /** Whose account it is. */
  person(name: string): Person {
    const found = this.people.get(name as Name)
    assert.ok(found !== undefined)
    return found
  }

  /** Who is signed in; without a login ada's proofs are sent, which must open nothing. */
  insider(index: number): Name {
    const state = this.model.state(index)
    return toName(state.kind === 'authenticated' ? state.who : 'ada')
  }

  /** The present password of an account, or a wrong one. */
  passwordOf(name: Name, isRight: boolean): string {
    return isRight ? (PASSWORDS[this.model.passwordOf(name)] ?? '') : 'wrong'
  }

  /** The last recovery codes that were shown, so that those of a set that was replaced are tried, too. */
  recoveryCode(age: number): { readonly index: number; readonly code: string } {
    const index = this.codes.length - 1 - age
    return { index, code: this.codes[index] ?? '0000-0000-0000' }
  }
}

function keySteps(): KeySteps | undefined {
  const found = ofParts('keys')
  return 'add' in found ? (found as KeySteps) : undefined
}

/** What a step came to: the walk shows how often. */
export const outcomes: Map<string, number> = new Map()

/** Counts what a step came to. */
export function note(outcome: string): void {
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
}

/** The name, as one of an account. */
export function toName(who: string): Name {
  const name = NAMES.find((each) => each === who)
  assert.ok(name !== undefined)
  return name
}
