import assert from 'node:assert/strict'
import { Secret } from 'sallyport'
import type { Browser } from '../support.ts'
import type { Name } from './account-actions.ts'
import { codesOf } from './newcomer.ts'
import { ADD } from './security-steps.ts'
import { SPARE, type TypedCode } from './walk-devices.ts'
import { type Answer, leadsTo } from './model-state.ts'
import type { KeySteps } from '../facts-of-parts.ts'
import {
  type Came,
  GUARDED,
  INSIDE,
  KEYS,
  note,
  type Only,
  PASSWORDS,
  toName,
  type WalkCast,
} from './walk-cast.ts'

const RECOVERY = '/login/2fa/recovery'
const SECURITY = '/account/security'
const CONFIRM = '/account/confirm'

/** What is proven in a walk: passwords, codes, keys, enrollments, and the step-up. */
export class WalkProofs {
  readonly #cast: WalkCast

  constructor(cast: WalkCast) {
    this.#cast = cast
  }

  async password(next: Only<'password'>, driven: Browser): Promise<Came> {
    const { browser: index, who: name, typed } = next
    const model = this.#cast.model
    const isFormer = typed === 'former address' && model.addressOf(name) !== 0
    const address = isFormer ? model.addressOf(name) - 1 : model.addressOf(name)
    const isRight = typed !== 'other password'
    const expected = model.password(index, name, { isRight, address })
    const password = PASSWORDS[(model.passwordOf(name) + (isRight ? 0 : 1)) % PASSWORDS.length]
    this.#cast.mails.collect()
    const page = await driven.submit('/login', {
      email: this.#cast.emailOf(name, address),
      password: password ?? '',
    })
    this.#noteEnrollment(expected, { index, name })
    return [expected, page]
  }

  // The number of mails is limited, and without one an enrollment does not go on.
  #noteEnrollment(expected: Answer, { index, name }: { readonly index: number; readonly name: Name }): void {
    const link = this.#cast.mails.collect()
    if (expected.location === '/enroll') this.#cast.enrolling.set(index, { name, link })
  }

  async continueLoss(index: number, driven: Browser): Promise<Came> {
    const state = this.#cast.model.state(index)
    const expected = this.#cast.model.continueLoss(index)
    this.#cast.mails.collect()
    const page = await driven.submit('/lost/continue')
    if (state.kind === 'pending') this.#noteEnrollment(expected, { index, name: toName(state.who) })
    return [expected, page]
  }

  async code(next: Only<'code'>, driven: Browser): Promise<Came> {
    const { browser: index } = next
    const model = this.#cast.model
    const state = model.state(index)
    // Whoever is not pending sends a code of ada: it must open nothing.
    const name = toName(state.kind === 'pending' ? state.who : 'ada')
    const { digits, code } = await this.#cast.devices.typed(this.#cast.person(name), name, next)
    return [model.code(index, digits), await driven.submit('/login/2fa', { code })]
  }

  async recover(next: Only<'recover'>, driven: Browser): Promise<Came> {
    const { index, code } = this.#cast.recoveryCode(next.code)
    return [this.#cast.model.recover(next.browser, index), await driven.submit(RECOVERY, { code })]
  }

  async useKeys(next: Only<'key' | 'key-alone' | 'remove-key'>, driven: Browser): Promise<Came> {
    const { browser: index } = next
    const key = this.#cast.keys.length - 1 - next.key
    const { holder, id = 'none' } = this.#cast.keys[key] ?? {}
    const steps = keys()
    if (next.do === 'remove-key')
      return [
        this.#cast.model.removeKey(index, key),
        await driven.submit(`/account/security/factors/${id}/remove`),
      ]
    const isAlone = next.do === 'key-alone'
    const { html } = await driven.open(isAlone ? '/login' : steps.door)
    const isAsked = html.includes('data-options="')
    const response = isAsked && holder !== undefined ? holder.respond(html) : '{}'
    if (isAlone)
      return [this.#cast.model.signInByKey(index, key), await driven.submit(steps.alone, { response })]
    return [this.#cast.model.useKey(index, key), await driven.submit(steps.door, { response })]
  }

  async addKey(index: number, driven: Browser): Promise<Came> {
    const steps = keys()
    const holder = steps.make()
    const expected = this.#cast.model.addKey(index)
    const opened = await driven.open(steps.add)
    const response = opened.status === 200 ? holder.register(opened.html) : '{}'
    if (opened.status !== 200) await driven.open(INSIDE)
    const page = await driven.submit(steps.add, { label: 'Key', response })
    const state = this.#cast.model.state(index)
    this.#cast.codes.push(...codesOf(page))
    const isAdded = expected.status === 200 || expected.location === '/account/security'
    if (isAdded && state.kind === 'authenticated') {
      const list = await steps.list(this.#cast.world, this.#cast.person(state.who).id)
      this.#cast.keys.push({ holder, id: list.find((each) => each.key === holder.id)?.id ?? 'none' })
    }
    return [expected, page]
  }

  // One for each account: a second one is only looked for.
  async addSpare(index: number, driven: Browser): Promise<Came> {
    const state = this.#cast.model.state(index)
    const name = toName(state.kind === 'authenticated' ? state.who : 'ada')
    if (this.#cast.model.holds(name, 'spare')) return this.look(index, driven)
    const expected = this.#cast.model.addSpare(index)
    const opened = await driven.open(ADD)
    const key = secretIn(opened.html)
    if (key === undefined) {
      await driven.open(INSIDE)
      return [expected, await driven.submit(ADD, { label: SPARE, code: '000000' })]
    }
    const secret = new Secret(key)
    const code = await this.#cast.world.code({ ...this.#cast.person(name), secret })
    const page = await driven.submit(ADD, { label: SPARE, code })
    this.#cast.devices.keep(name, secret)
    this.#cast.codes.push(...codesOf(page))
    return [expected, page]
  }

  async removeSpare(index: number, driven: Browser): Promise<Came> {
    const state = this.#cast.model.state(index)
    const name = toName(state.kind === 'authenticated' ? state.who : 'ada')
    const id = await this.#cast.devices.idOf(this.#cast.person(name), 'spare')
    return [this.#cast.model.removeSpare(index), await driven.submit(`${SECURITY}/factors/${id}/remove`)]
  }

  async renew(index: number, driven: Browser): Promise<Came> {
    const expected = this.#cast.model.renewCodes(index)
    const page = await driven.submit('/account/recovery-codes')
    this.#cast.codes.push(...codesOf(page))
    return [expected, page]
  }

  async enroll(index: number, driven: Browser): Promise<Came> {
    const state = this.#cast.model.enrollmentOf(index)
    const known = this.#cast.enrolling.get(index)
    if (state === undefined || known === undefined || state.stage === 'proven')
      return [this.#cast.model.enroll(index, this.#cast.step()), await driven.submit('/enroll/done')]
    if (state.stage === 'set-up') return this.#proveFirst(index, driven, known.name)
    // Without the link nothing goes on, and nothing is lost.
    if (known.link === '') return [leadsTo('/enroll'), await driven.submit('/enroll/done')]
    await driven.open(known.link)
    return [this.#cast.model.enroll(index, this.#cast.step()), await driven.submit(known.link)]
  }

  async #proveFirst(index: number, driven: Browser, name: Name): Promise<Came> {
    const { html } = await driven.open('/enroll')
    const key = secretIn(html)
    assert.ok(key !== undefined, 'the page shows a key')
    const person = { ...this.#cast.person(name), secret: new Secret(key) }
    const expected = this.#cast.model.enroll(index, this.#cast.step())
    const page = await driven.submit('/enroll', { code: await this.#cast.world.code(person) })
    this.#cast.people.set(name, person)
    this.#cast.codes.push(...codesOf(page))
    return [expected, page]
  }

  async confirm(next: Only<'confirm'>, driven: Browser): Promise<Came> {
    const name = this.#cast.insider(next.browser)
    const typed: TypedCode = { isRight: true, step: next.step, device: next.device }
    const { digits, code } = await this.#cast.devices.typed(this.#cast.person(name), name, typed)
    const password = this.#cast.passwordOf(name, next.isRight)
    const expected = this.#cast.model.confirm(next.browser, next.isRight, digits)
    return [expected, await driven.submit(CONFIRM, { return_url: GUARDED, password, code })]
  }

  async confirmByKey(next: Only<'confirm-key'>, driven: Browser): Promise<Came> {
    const { browser: index } = next
    const key = this.#cast.keys.length - 1 - next.key
    if (this.#cast.model.takesKey(index, key)) note('confirm-key taken')
    const return_url = GUARDED
    const { html } = await driven.open(`${CONFIRM}?return_url=${encodeURIComponent(return_url)}`)
    const holder = html.includes('data-options="') ? this.#cast.keys[key]?.holder : undefined
    const response = holder?.respond(html) ?? '{}'
    const expected = this.#cast.model.confirmByKey(index, key)
    return [expected, await driven.submit(keys().confirm, { return_url, response })]
  }

  async confirmByRecovery(next: Only<'confirm-recovery'>, driven: Browser): Promise<Came> {
    const { index, code } = this.#cast.recoveryCode(next.code)
    const password = this.#cast.passwordOf(this.#cast.insider(next.browser), next.isRight)
    const fields = { return_url: '/account/recovery-codes', password, recovery_code: code }
    const expected = this.#cast.model.confirmByRecovery(next.browser, next.isRight, index)
    return [expected, await driven.submit(CONFIRM, fields)]
  }

  async look(index: number, driven: Browser): Promise<Came> {
    const page = { isRead: true, isForLoss: false }
    const expected = this.#cast.model.withProofs(index, page, () => leadsTo(SECURITY))
    return [expected, await driven.open(GUARDED)]
  }
}

function keys(): KeySteps {
  assert.ok(KEYS !== undefined)
  return KEYS
}

function secretIn(html: string): string | undefined {
  return /<code class="secret"[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1]?.replaceAll(' ', '')
}
