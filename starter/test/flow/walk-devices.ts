import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Secret } from 'sallyport'
import type { Person, World } from '../support.ts'
import type { Name } from './account-actions.ts'
import type { AccountModel } from './account-model.ts'
import type { Device, Digits } from './model-state.ts'

/** What a second app is called. */
export const SPARE = 'Token'
// The steps that are accepted at a time, and one more on each side.
const TOTP_NEAR = [-2, -1, 0, 1]

/** A code that somebody types: of one of two apps, at some steps from now. */
export interface TypedCode {
  readonly isRight: boolean
  readonly step?: number
  /** Which app. Default: the first one. */
  readonly device?: Device
}

/** What shows the codes of the accounts of a walk. */
export class WalkDevices {
  readonly #world: World
  readonly #model: AccountModel
  readonly #spares = new Map<Name, Secret>()

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
   * @param secret Secret of its second app.
   */
  keep(name: Name, secret: Secret): void {
    this.#spares.set(name, secret)
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
    const { device = 'app', isRight, step = 0 } = typed
    if (!isRight || !this.#model.holds(name, device))
      return { digits: { device, at: null }, code: await this.#wrong(person, name) }
    const at = Math.floor(this.#model.now / 30) + step
    return { digits: { device, at }, code: await this.#code(person, name, { device, step }) }
  }

  /** @returns Its reference; `none` without one. */
  async idOf({ id }: Person, device: Device): Promise<string> {
    const list = await this.#world.identity.factors.list(id)
    return list.find(({ label }) => (label === SPARE) === (device === 'spare'))?.id ?? 'none'
  }

  #code(
    person: Person,
    name: Name,
    { device, step }: { readonly device: Device; readonly step: number },
  ): Promise<string> {
    const secret = device === 'app' ? person.secret : this.#spares.get(name)
    assert.ok(secret !== undefined)
    return this.#world.code({ ...person, secret }, step)
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
    const devices = (['app', 'spare'] as const).filter((device) => this.#model.holds(name, device))
    return Promise.all(
      devices.flatMap((device) =>
        TOTP_NEAR.filter((step) => except?.device !== device || except.at !== present + step).map((step) =>
          this.#code(person, name, { device, step }),
        ),
      ),
    )
  }
}
