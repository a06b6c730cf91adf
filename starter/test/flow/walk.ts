import assert from 'node:assert/strict'
import { Attempts } from 'sallyport-app/limits'
import { Users } from '../../core/accounts/users.ts'
import { PasswordReset, RESETS } from '../../core/reset/password-reset.ts'
import { act } from '../facts-of-parts.ts'
import { type Browser, PASSWORD } from '../support.ts'
import { AUTHENTICATOR_LIMIT, FACTOR_LIMIT } from '../../core/limits/limits.ts'
import { type Act, type Action, ATTACK, isAbsent, type Name } from './account-actions.ts'
import type { LinkKind } from './model-state.ts'
import { type Came, INSIDE, note, type Only, PASSWORDS, type WalkCast } from './walk-cast.ts'
import { WalkProofs } from './walk-proofs.ts'

const DAY_SECONDS = 24 * 60 * 60

type LinkAct = 'unlock' | 'use-address' | 'use-restore' | 'use-lost' | 'stop-lost'
type OwnAct = Only<LinkAct | 'new-password' | 'new-address' | 'lose' | 'continue'>
type AdministratorAct = Extract<Action, { readonly who: Name }> & { readonly browser?: never }

/** A walk: each step is taken in the application and in the model, and both are compared. */
export class Walk {
  readonly #cast: WalkCast
  readonly #proofs: WalkProofs
  #addresses = 0

  constructor(cast: WalkCast) {
    this.#cast = cast
    this.#proofs = new WalkProofs(cast)
  }

  async take(next: Action): Promise<void> {
    if (isAbsent(next)) return
    if (next.do === 'wait') this.#wait(next.seconds)
    else if (next.do === 'sleep') this.#sleep(next.days)
    else if ('browser' in next) await this.#drive(next)
    else await this.#administer(next)
    this.#cast.mails.collect()
    assert.deepEqual(this.#cast.mails.counts(), this.#cast.model.linkCounts(), `the mails after ${next.do}`)
    await this.#compare()
  }

  async #drive(next: Act): Promise<void> {
    const driven = this.#cast.browser(next.browser)
    this.#cast.model.visit(next.browser)
    // A fresh token of a page: a refused one is another test's business. Who is signed in has that of the last page.
    if (!this.#cast.model.isSignedIn(next.browser)) await driven.open('/forgot')
    const [expected, page] = await this.#act(next, driven)
    const location = page.location?.replace(/\?.*/, '') ?? null
    assert.deepEqual({ status: page.status, location }, expected, next.do)
    note(`${next.do} ${page.status}${location === null ? '' : ` ${location}`}`)
  }

  async #act(next: Act, driven: Browser): Promise<Came> {
    const { browser: index } = next
    const model = this.#cast.model
    switch (next.do) {
      case 'password':
        return this.#proofs.password(next, driven)
      case 'code':
        return this.#proofs.code(next, driven)
      case 'recover':
        return this.#proofs.recover(next, driven)
      case 'key':
      case 'key-alone':
      case 'remove-key':
        return this.#proofs.useKeys(next, driven)
      case 'add-key':
        return this.#proofs.addKey(index, driven)
      case 'add-spare':
        return this.#proofs.addSpare(index, driven)
      case 'remove-spare':
        return this.#proofs.removeSpare(index, driven)
      case 'enroll':
        return this.#proofs.enroll(index, driven)
      case 'leave':
        return [model.leaveEnrollment(index), await driven.submit('/enroll/cancel')]
      case 'confirm':
        return this.#proofs.confirm(next, driven)
      case 'confirm-key':
        return this.#proofs.confirmByKey(next, driven)
      case 'confirm-recovery':
        return this.#proofs.confirmByRecovery(next, driven)
      case 'logout':
        return [model.logout(index), await driven.submit('/logout')]
      case 'others':
        return [model.endOthers(index), await driven.submit('/account/sessions/others')]
      case 'all':
        return [model.endAll(index), await driven.submit('/account/sessions/all')]
      case 'renew':
        return this.#proofs.renew(index, driven)
      case 'look':
        return this.#proofs.look(index, driven)
      default:
        return this.#own(next, driven)
    }
  }

  // What owners do with their account, and what mails make of it.
  async #own(next: OwnAct, driven: Browser): Promise<Came> {
    const { browser: index } = next
    const model = this.#cast.model
    switch (next.do) {
      case 'new-password': {
        const password = PASSWORDS[next.password]
        return [
          model.changePassword(index, next.password),
          await driven.submit('/account/password', { password }),
        ]
      }
      case 'new-address': {
        const state = model.state(index)
        const email = this.#cast.emailOf(
          state.kind === 'authenticated' ? state.who : 'ada',
          (this.#addresses += 1),
        )
        return [
          model.changeAddress(index, this.#addresses),
          await driven.submit('/account/address', { email }),
        ]
      }
      case 'lose':
        return [model.lose(index), await driven.submit('/lost')]
      case 'continue':
        return this.#proofs.continueLoss(index, driven)
      default:
        return this.#useLink(next, driven)
    }
  }

  async #useLink(next: Only<LinkAct>, driven: Browser): Promise<Came> {
    const model = this.#cast.model
    const uses: Readonly<Record<LinkAct, readonly [LinkKind, (index: number) => Came[0]]>> = {
      unlock: ['unlock', (index) => model.unlock(next.browser, index)],
      'use-address': ['address', (index) => model.useAddressLink(next.browser, index)],
      'use-restore': ['restore', (index) => model.useRestoreLink(index)],
      'use-lost': ['lost', (index) => model.confirmLoss(index)],
      'stop-lost': ['lost-stop', (index) => model.stopLoss(index)],
    }
    const [kind, use] = uses[next.do]
    const { index, path } = this.#cast.mails.link(kind, next.link)
    await driven.open(path)
    return [use(index), await driven.submit(path)]
  }

  // Less than a session lasts, and the pages that are opened after each step keep it: when it ends is another test's business.
  #wait(seconds: number): void {
    this.#cast.world.clock.advance(seconds)
    this.#cast.model.now += seconds
  }

  // Long enough for every session to end.
  #sleep(days: number): void {
    this.#cast.world.clock.advance(days * DAY_SECONDS)
    this.#cast.model.now += days * DAY_SECONDS
    this.#cast.enrolling.clear()
    for (const index of this.#cast.browsers.keys()) {
      this.#cast.browsers[index] = this.#cast.world.browser()
      this.#cast.model.forgetSession(index)
    }
  }

  async #administer(next: AdministratorAct): Promise<void> {
    const { id } = this.#cast.person(next.who)
    if (next.do === 'attack') await this.#attack(next.who)
    else if (next.do === 'enable') {
      const state = next.enabled ? 'active' : 'disabled'
      await this.#cast.world.database.updateTable('account').set({ state }).where('id', '=', id).execute()
      this.#cast.model.setEnabled(next.who, next.enabled)
    } else if (next.do === 'change') {
      await this.#cast.world.identity.users.endSessions(id)
      this.#cast.model.changeCredentials(next.who)
    } else if (next.do === 'take-away') {
      await act('resetFactors')(this.#cast.world, id)
      this.#cast.model.resetFactors(next.who)
    } else await this.#reset(next.who, this.#cast.emailOf(next.who))
  }

  // Somebody elsewhere has guessed: as many wrong codes are on record.
  async #attack(name: Name): Promise<void> {
    const { id } = this.#cast.person(name)
    const app = this.#cast.model.holds(name, 'app')
      ? [AUTHENTICATOR_LIMIT.of(await this.#cast.devices.idOf(this.#cast.person(name), 'app'))]
      : []
    const attempts = this.#cast.world.app.get(Attempts)
    const limited = [FACTOR_LIMIT.of(id), ...app]
    for (let times = 0; times < ATTACK; times += 1) await attempts.count(limited).catch(() => undefined)
    this.#cast.model.attack(name, ATTACK)
  }

  // A link that is not sent resets nothing: of a disabled account, or after too many of them.
  async #reset(name: Name, email: string): Promise<void> {
    const { app, database, clock, hasher } = this.#cast.world
    const resets = app.get(PasswordReset)
    const client = { clientAddress: '', device: '' }
    const isAsked = await resets.request(email, client, 'en').then(
      () => true,
      () => false,
    )
    const account = await app.get(Users).findByEmail(email)
    if (!isAsked || account?.isActive !== true) return
    // Its token is in the mail alone: another link does the same.
    const row = { account_id: account.id, credential_version: account.credentialVersion }
    const token = await database
      .transaction()
      .execute((transaction) => RESETS.make(transaction, row, clock.timestamp()))
    const passwordHash = await hasher.hash(PASSWORD)
    if ((await resets.reset(token, { passwordHash, ...client })) === undefined) return
    this.#cast.model.reset(name)
  }

  async #compare(): Promise<void> {
    for (const [index, each] of this.#cast.browsers.entries()) {
      const state = this.#cast.model.state(index)
      const session = each.sessionId === undefined ? {} : await each.session()
      assert.equal(
        session['_auth'],
        state.kind === 'authenticated' ? this.#cast.person(state.who).id : undefined,
      )
      assert.ok(!('_auth' in session) || !('_2fa' in session || 'enrollment' in session))
      // Without an identity in the session there is nobody to be.
      const isSignedIn = '_auth' in session && (await each.open(INSIDE)).status === 200
      assert.equal(isSignedIn, this.#cast.model.isSignedIn(index))
      this.#cast.model.visit(index)
    }
    assert.deepEqual(this.#cast.world.faults, [])
  }
}
