import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { Session } from 'sallyport/session'
import type { Client } from 'sallyport-app/clients'
import { allOrNothing } from 'sallyport-app/database'
import {
  type Binding,
  issueChallenge,
  spendChallenge,
  takeChallenge,
  type UserVerification,
  type WebAuthn,
} from 'sallyport-app/webauthn'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import { Users } from '../../core/accounts/users.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import type { PendingChallenge } from '../../core/factors/code-check.ts'
import { Notices } from '../../core/mail/notices.ts'
import { passkeyRows, Passkeys, type StoredPasskey, toPasskey } from './passkeys.ts'
import { SiteWebAuthn } from './web-authn.ts'

// As the whole login it is both factors: possession, and a PIN, a fingerprint or a face.
const SIGN_IN: UserVerification = 'required'

// The password was proven, and a touch proves possession.
const AFTER_PASSWORD: UserVerification = 'discouraged'

/** A passkey that has responded rightly. It is not used up yet. */
export interface PasskeyProof {
  /** Account that the passkey belongs to. */
  readonly accountId: string
  /** Identifier of the passkey. */
  readonly passkeyId: string
  /** Name of the passkey. */
  readonly label: string
  /** The challenge that it answered. */
  readonly challenge: string
  /** Its counter. */
  readonly counter: number
  /** Whether the counter went backwards. */
  readonly isBackwards: boolean
}

/** What a browser sent. */
export interface PasskeyResponse {
  /** Session of the request, which has the challenge. */
  readonly session: Session
  /** Text of the field `response`. */
  readonly response: string
}

/** Where a proof is used up. */
export interface PasskeyUse extends Client {
  /** Identifier of the pending login. Default: none. */
  readonly challengeId?: string
}

/** Proofs by passkeys and security keys: as the second door, in step-up, and as the whole login. */
export class PasskeyProofs {
  readonly #database = inject(Database)
  readonly #passkeys = inject(Passkeys)
  readonly #users = inject(Users)
  readonly #webAuthn = inject(SiteWebAuthn)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)

  /**
   * Asks for a passkey of a known account.
   *
   * @returns Options for the browser, as JSON; undefined when the account has no passkey, or passkeys are not offered.
   */
  async ownOptions(session: Session, accountId: string, binding: Binding): Promise<string | undefined> {
    const allowed = await this.#passkeys.list(accountId)
    if (allowed.length === 0) return undefined
    const challenge = await this.#challenge(session, binding)
    const verification = await this.#verificationOf(accountId)
    return this.#webAuthn.requestOptions({ challenge, verification, allowed })
  }

  /**
   * Asks for any passkey of the site. Nothing in the options depends on an account.
   *
   * @returns Options for the browser, as JSON; undefined where passkeys are not offered.
   */
  async signInOptions(session: Session): Promise<string | undefined> {
    const challenge = await this.#challenge(session, { purpose: 'sign-in' })
    return this.#webAuthn.requestOptions({ challenge, verification: SIGN_IN })
  }

  /**
   * Checks the response of a passkey of a known account. The challenge leaves the session, whatever the response is like.
   *
   * @param accountId Account whose password was proven, or that is signed in; never chosen by the client.
   * @returns The proof, to be used up by {@link PasskeyProofs.useUp}; undefined when it is not right.
   */
  async proveOwn(
    accountId: string,
    posted: PasskeyResponse,
    binding: Binding,
  ): Promise<PasskeyProof | undefined> {
    const challenge = await takeChallenge(posted.session, binding, this.#clock)
    const id = this.#webAuthn.credentialIdOf(posted.response)
    const passkey = (await this.#passkeys.list(accountId)).find(({ credentialId }) => credentialId === id)
    if (challenge === undefined || passkey === undefined) return undefined
    const verification = await this.#verificationOf(accountId)
    return this.#judge(passkey, posted.response, { challenge, verification, mustNameAccount: false })
  }

  /**
   * Checks the response of a passkey that says by itself whose it is.
   *
   * @returns The proof, to be used up by {@link PasskeyProofs.useUp}; `unknown` when no account has the passkey, and undefined
   *   when the response is not right.
   */
  async proveAnyone(posted: PasskeyResponse): Promise<PasskeyProof | 'unknown' | undefined> {
    const challenge = await takeChallenge(posted.session, { purpose: 'sign-in' }, this.#clock)
    const id = this.#webAuthn.credentialIdOf(posted.response)
    if (challenge === undefined || id === undefined) return undefined
    const row = await passkeyRows(this.#database).where('passkey.credential_id', '=', id).executeTakeFirst()
    if (row === undefined) return 'unknown'
    const ceremony = { challenge, verification: SIGN_IN, mustNameAccount: true }
    return this.#judge(toPasskey(row), posted.response, ceremony)
  }

  // Where there is no password beside it, it has to be both factors.
  async #verificationOf(accountId: string): Promise<UserVerification> {
    return (await this.#users.hasPassword(accountId)) ? AFTER_PASSWORD : SIGN_IN
  }

  #challenge(session: Session, binding: Binding): Promise<string> {
    return issueChallenge(this.#database, session, { ...binding, clock: this.#clock })
  }

  /**
   * Uses a proof up: its challenge never works again, its counter and the time are stored. A counter that went backwards is recorded,
   * and its owner gets a mail. A passkey that was removed meanwhile proves nothing.
   *
   * @returns Whether it was unused; false for all but one of many calls.
   */
  async useUp(transaction: Transaction<Schema>, proof: PasskeyProof, use: PasskeyUse): Promise<boolean> {
    const now = this.#clock.timestamp()
    if (!(await spendChallenge(transaction, proof.challenge, now))) return false
    const used = await transaction
      .updateTable('factor')
      .set({ used_at: now })
      .where('id', '=', proof.passkeyId)
      .where('account_id', '=', proof.accountId)
      .executeTakeFirst()
    if (used.numUpdatedRows !== 1n) return false
    const { accountId, label, counter, passkeyId: id } = proof
    await transaction.updateTable('passkey').set({ counter }).where('id', '=', id).execute()
    const entry = { accountId, ...use }
    if (proof.isBackwards) {
      const kind = 'passkey-backwards'
      await this.#audit.record({ kind, isAlarm: true, ...entry }, transaction)
      await this.#notices.tell({ kind, accountId, values: { label } }, transaction)
    }
    await this.#audit.record({ kind: 'passkey-used', ...entry }, transaction)
    return true
  }

  /**
   * Uses a proof up at the second door, for {@link DoorAttempt.verify}. A wrong response is an attempt, too.
   *
   * @returns Whether it was right and unused.
   */
  async useUpAt(
    { id, reserve, accepted }: PendingChallenge,
    proof: PasskeyProof | undefined,
    client: Client,
  ): Promise<boolean> {
    const isRight = await allOrNothing(this.#database, async (transaction) => {
      if (!(await reserve(transaction)) || proof === undefined) return false
      if (!(await this.useUp(transaction, proof, { ...client, challengeId: id }))) return false
      return (await accepted(transaction, 'passkey')) || undefined
    })
    return isRight === true
  }

  async #judge(
    passkey: StoredPasskey,
    response: string,
    ceremony: Parameters<WebAuthn['verifyAssertion']>[2],
  ): Promise<PasskeyProof | undefined> {
    const assertion = await this.#webAuthn.verifyAssertion(response, passkey, ceremony)
    if (assertion === undefined) return undefined
    const { counter } = assertion
    const isBackwards = (counter > 0 || passkey.counter > 0) && counter <= passkey.counter
    const { id: passkeyId, accountId, label } = passkey
    return { accountId, passkeyId, label, challenge: ceremony.challenge, counter, isBackwards }
  }
}
