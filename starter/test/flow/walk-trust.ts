import assert from 'node:assert/strict'
import { deviceDigest } from '../../identity/devices/device-cookie.ts'
import type { Browser } from '../support.ts'
import { type Action, NAMES, type Name } from './account-actions.ts'
import { COOKIE, SECURITY } from './device-steps.ts'
import type { KnownCookie } from './model-state.ts'
import { type Came, note, type Only, type WalkCast } from './walk-cast.ts'

/** Permission of the accounts that the rule of a walk is for. It opens nothing. */
export const BOUND = 'vault.open'

/** A cookie that a browser has had. */
interface SeenCookie extends KnownCookie {
  readonly value: string
}

/** The trusted browsers of a walk, and every cookie that they have had. */
export class WalkTrust {
  readonly #cast: WalkCast
  readonly #seen: SeenCookie[] = []

  constructor(cast: WalkCast) {
    this.#cast = cast
  }

  /** Somebody copies a cookie, of now or of an earlier use, into a browser. */
  steal({ browser, cookie: age }: Extract<Action, { readonly do: 'steal' }>): void {
    const cookie = this.#seen.at(-1 - age)
    if (cookie === undefined) return
    plant(this.#cast.browser(browser), cookie.value)
    this.#cast.model.plantCookie(browser, { trust: cookie.trust, generation: cookie.generation })
    note(age === 0 ? 'steal the newest' : 'steal an older one')
  }

  /** A new browser in the place of one whose session has ended: what makes it trusted outlives that. */
  keep(browser: Browser, index: number): void {
    const held = this.#cast.model.cookieOf(index)
    const cookie = held === undefined ? undefined : this.#find(held)
    if (cookie !== undefined) plant(browser, cookie.value)
  }

  async revoke(next: Only<'distrust' | 'distrust-all'>, driven: Browser): Promise<Came> {
    const { model } = this.#cast
    if (next.do === 'distrust-all')
      return [model.revokeTrusts(next.browser), await driven.submit(`${SECURITY}/devices/revoke-all`)]
    const cookie = this.#seen.at(-1 - next.cookie)
    const id = cookie === undefined ? crypto.randomUUID() : partsOf(cookie.value).id
    return [
      model.revokeTrust(next.browser, cookie?.trust ?? -1),
      await driven.submit(`${SECURITY}/devices/${id}/revoke`),
    ]
  }

  async bind(name: Name, isBound: boolean): Promise<void> {
    const { id } = this.#cast.person(name)
    const { database } = this.#cast.world
    await database.deleteFrom('account_permission').where('account_id', '=', id).execute()
    if (isBound)
      await database.insertInto('account_permission').values({ account_id: id, permission: BOUND }).execute()
    this.#cast.model.setBound(name, isBound)
  }

  /** Compares the cookies of the browsers, what is stored, and the mails with the model. */
  async compare(): Promise<void> {
    const { model, world, browsers, mails } = this.#cast
    for (const [index, browser] of browsers.entries()) this.#look(browser, model.cookieOf(index))
    assert.deepEqual(mails.trust, model.trustMails, 'the mails about trusted browsers')
    if (!model.isTrusting) return
    const accounts = NAMES.map((name) => this.#cast.person(name).id)
    const rows = await world.database
      .selectFrom('trusted_device')
      .select('digest')
      .where('account_id', 'in', accounts)
      .execute()
    const expected = model
      .presentCookies()
      .map((each) => deviceDigest(partsOf(this.#find(each)?.value ?? '')))
    assert.deepEqual(rows.map(({ digest }) => digest).toSorted(), expected.toSorted(), 'trusted browsers')
  }

  // What the model says is new is new, and anything else is as before.
  #look({ client }: Browser, held: KnownCookie | undefined): void {
    const value = client.cookie(COOKIE)
    const known = held === undefined ? undefined : this.#find(held)
    if (held === undefined || known !== undefined) {
      assert.equal(value, known?.value, 'the cookie of a trusted browser')
      return
    }
    assert.ok(value !== undefined && !this.#seen.some((each) => each.value === value), 'a new token')
    const former = this.#seen.find(({ trust }) => trust === held.trust)
    if (former !== undefined) assert.equal(partsOf(value).id, partsOf(former.value).id)
    this.#seen.push({ ...held, value })
  }

  #find({ trust, generation }: KnownCookie): SeenCookie | undefined {
    return this.#seen.find((each) => each.trust === trust && each.generation === generation)
  }
}

function partsOf(value: string): { readonly id: string; readonly secret: string } {
  const [id = '', secret = ''] = value.split('.')
  return { id, secret }
}

function plant({ client }: Browser, value: string): void {
  client.setCookie(`${COOKIE}=${value}; Path=/; Secure`)
}
