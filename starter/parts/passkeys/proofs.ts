import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { Session } from 'sallyport/session'
import type { Client } from 'sallyport-app/clients'
import { Attempts } from 'sallyport-app/limits'
import {
  type Binding,
  issueChallenge,
  spendChallenge,
  takeChallenge,
  type UserVerification,
} from 'sallyport-app/webauthn'
import { Settings } from '../../core/settings.ts'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import { Users } from '../../core/accounts/users.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { Challenges } from '../../core/challenges/challenges.ts'
import type { PendingChallenge } from '../../core/factors/code-check.ts'
import { Notices } from '../../core/mail/notices.ts'
import { PASSKEY_CLIENT_LIMIT } from './limits.ts'
import { PASSKEY_POLICY } from './policy.ts'
import { passkeyRows, Passkeys, type StoredPasskey, toPasskey } from './passkeys.ts'
import { SiteWebAuthn } from './web-authn.ts'

// As the whole login it is both factors: possession, and a PIN, a fingerprint or a face.
const SIGN_IN: UserVerification = 'required'

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

/** Where a response comes from. */
export interface PasskeyResponse extends Client {
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
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #challenges = inject(Challenges)
  readonly #clock = inject(Clock)
  readonly #policy = inject(Settings).passkeyPolicy ?? PASSKEY_POLICY

  /**
   * Asks for a passkey of a known account.
   *
   * @returns Options for the browser, as JSON; undefined when the account has no passkey, or passkeys are not offered.
   */
  async ownOptions(session: Session, accountId: string, binding: Binding): Promise<string | undefined> {
    const allowed = await this.#passkeys.list(accountId)
    if (allowed.length === 0 || this.#webAuthn.relyingParty() === undefined) return undefined
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
    if (this.#webAuthn.relyingParty() === undefined) return undefined
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
    return this.#judge(passkey, posted, { challenge, verification, mustNameAccount: false })
  }

  /**
   * Checks the response of a passkey that says by itself whose it is.
   *
   * A refused response counts against its client, and a right one never does, whatever was refused before: a passkey cannot be
   * guessed, and behind one address nobody locks others out. The limit bounds what refusals write. What one costs before is
   * little: the challenge leaves the session with it, and a signature is checked for a known passkey only.
   *
   * @returns The proof, to be used up by {@link PasskeyProofs.useUp}; `unknown` when no account has the passkey, and undefined
   *   when the response is not right.
   * @throws {TooManyRequestsException} If it is not right, and neither were many others of this client.
   */
  async proveAnyone(posted: PasskeyResponse): Promise<PasskeyProof | 'unknown' | undefined> {
    const proof = await this.#proveAnyone(posted)
    if (proof === undefined || proof === 'unknown')
      await this.#attempts.count(PASSKEY_CLIENT_LIMIT.ofClient(posted.clientAddress))
    return proof
  }

  // Where there is no password beside it, it has to be both factors.
  async #verificationOf(accountId: string): Promise<UserVerification> {
    return (await this.#users.hasPassword(accountId)) ? this.#policy.secondDoor : SIGN_IN
  }

  #challenge(session: Session, binding: Binding): Promise<string> {
    return issueChallenge(this.#database, session, { ...binding, clock: this.#clock })
  }

  async #proveAnyone(posted: PasskeyResponse): Promise<PasskeyProof | 'unknown' | undefined> {
    const challenge = await takeChallenge(posted.session, { purpose: 'sign-in' }, this.#clock)
    const id = this.#webAuthn.credentialIdOf(posted.response)
    if (challenge === undefined || id === undefined) return undefined
    const row = await passkeyRows(this.#database).where('passkey.credential_id', '=', id).executeTakeFirst()
    if (row === undefined) return 'unknown'
    const ceremony = { challenge, verification: SIGN_IN, mustNameAccount: true }
    return this.#judge(toPasskey(row), posted, ceremony)
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
    return this.#database.transaction().execute(async (transaction) => {
      if (!(await reserve(transaction)) || proof === undefined) return false
      if (!(await this.useUp(transaction, proof, { ...client, challengeId: id }))) return false
      await this.#challenges.end(id, transaction)
      await accepted(transaction, 'passkey')
      return true
    })
  }

  async #judge(
    passkey: StoredPasskey,
    { response, clientAddress, device }: PasskeyResponse,
    ceremony: {
      readonly challenge: string
      readonly verification: UserVerification
      readonly mustNameAccount: boolean
    },
  ): Promise<PasskeyProof | undefined> {
    const assertion = await this.#webAuthn.verifyAssertion(response, passkey, ceremony)
    if (assertion === undefined) return undefined
    const isBackwards = (assertion.counter > 0 || passkey.counter > 0) && assertion.counter <= passkey.counter
    const { id: passkeyId, accountId, label } = passkey
    if (isBackwards && this.#policy.counterBackwards === 'refuse') {
      const entry = { kind: 'passkey-backwards', isAlarm: true, accountId, clientAddress, device } as const
      const notice = { kind: 'passkey-backwards-refused', accountId, values: { label } } as const
      await this.#database.transaction().execute(async (transaction) => {
        await this.#audit.record(entry, transaction)
        await this.#notices.tell(notice, transaction)
      })
      return undefined
    }
    return { accountId, passkeyId, label, challenge: ceremony.challenge, isBackwards, ...assertion }
  }
}
