import assert from 'node:assert/strict'
import fc from 'fast-check'
import { generate } from 'otplib/functional'
import type { Secret } from 'sallyport'
import type { Person, World } from '../support.ts'
import type { Name } from './account-actions.ts'
import type { AccountModel } from './account-model.ts'
import type { Device, Digits } from './model-state.ts'

const HOTP_AHEAD = [1, 2, 3, 4, 5]
// The steps that are accepted at a time, and one more on each side.
const TOTP_NEAR = [-2, -1, 0, 1]

/** A code that somebody types: of an app, at some steps from now, or of a generator, so many counters after the last used one. */
export type TypedCode =
  | { readonly do: 'code'; readonly isRight: boolean; readonly step?: number }
  | { readonly do: 'count'; readonly skip: number }

/** What shows the codes of the accounts of a walk. */
export class WalkDevices {
  readonly #world: World
  readonly #model: AccountModel
  readonly #generators = new Map<Name, Secret>()

  /**
   * @param world Where the accounts are.
   * @param model What it should be like.
   */
  constructor(world: World, model: AccountModel) {
    this.#world = world
    this.#model = model
  }

  /**
   * @param name An account.
   * @param secret Secret of its new generator.
   */
  keep(name: Name, secret: Secret): void {
    this.#generators.set(name, secret)
  }

  /**
   * @param person Whose code.
   * @param name Name of the account.
   * @param typed Which code. Without the device, a wrong one is typed.
   * @returns The code, and what it is to the model. A sequence in which another code near it has the same digits, as one in a
   *   million has, is left out.
   */
  async typed(
    person: Person,
    name: Name,
    typed: TypedCode,
  ): Promise<{ readonly digits: Digits; readonly code: string }> {
    const { digits, code } = await this.#type(person, name, typed)
    fc.pre(!(await this.#shown(person, name, digits)).includes(code))
    return { digits, code }
  }

  async #type(
    person: Person,
    name: Name,
    typed: TypedCode,
  ): Promise<{ readonly digits: Digits; readonly code: string }> {
    const device = typed.do === 'count' ? 'counter' : 'app'
    const last = this.#model.counterOf(name)
    const hasDevice = device === 'app' ? this.#model.hasApp(name) : last !== undefined
    if (!hasDevice || (typed.do === 'code' && !typed.isRight))
      return { digits: { device, at: null }, code: await this.#wrong(person, name) }
    if (typed.do === 'code') {
      const { step = 0 } = typed
      const at = Math.floor(this.#model.now / 30) + step
      return { digits: { device, at }, code: await this.#world.code(person, step) }
    }
    const at = (last ?? 0) + typed.skip
    return { digits: { device, at }, code: await this.#press(name, at) }
  }

  /**
   * @param person Whose device.
   * @param device Which one.
   * @returns Its reference; `none` without one.
   */
  async idOf({ id }: Person, device: Device): Promise<string> {
    const list = await this.#world.identity.factors.list(id)
    const kind = device === 'app' ? 'totp' : 'hotp'
    return list.find((factor) => factor.kind === kind)?.id ?? 'none'
  }

  #press(name: Name, counter: number): Promise<string> {
    const secret = this.#generators.get(name)
    assert.ok(secret !== undefined)
    return generate({ strategy: 'hotp', secret: secret.reveal(), counter })
  }

  // Six digits that neither device shows.
  async #wrong(person: Person, name: Name): Promise<string> {
    const shown = await this.#shown(person, name)
    const found = ['000000', '111111', '222222', '333333'].find((code) => !shown.includes(code))
    assert.ok(found !== undefined)
    return found
  }

  // The codes that both devices show near the present, without the given one.
  #shown(person: Person, name: Name, except?: Digits): Promise<readonly string[]> {
    const present = Math.floor(this.#model.now / 30)
    const counter = this.#model.counterOf(name)
    const isOther = (device: Device, at: number): boolean => except?.device !== device || except.at !== at
    const steps = TOTP_NEAR.filter((step) => isOther('app', present + step))
    const counters = counter === undefined ? [] : HOTP_AHEAD.map((ahead) => counter + ahead)
    return Promise.all([
      ...(person.secret === undefined ? [] : steps.map((step) => this.#world.code(person, step))),
      ...counters.filter((at) => isOther('counter', at)).map((at) => this.#press(name, at)),
    ])
  }
}
