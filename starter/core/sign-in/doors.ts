import { type HttpContext, inject } from 'sallyport'
import type { Session } from 'sallyport/session'
import type { PasswordProof } from '../accounts/password-check.ts'
import { challengeIdentifier, chosenFactor } from '../challenges/pending-login.ts'
import type { AtDoor, DoorPage, FactorKind } from '../factors/factor-kinds.ts'
import { FactorLocks } from '../factors/factor-locks.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { FactorKinds } from '../factors/known-kinds.ts'
import { SecondFactors, type UsableFactor } from '../factors/second-factors.ts'
import { type Door, openFactor } from './door.ts'

/** What opens the second doors of accounts. */
export class Doors {
  readonly #locks = inject(FactorLocks)
  readonly #factors = inject(SecondFactors)
  readonly #policy = inject(FactorPolicy)
  readonly #kinds = inject(FactorKinds)
  readonly #atDoor: ReadonlyMap<FactorKind, AtDoor> = new Map(
    this.#kinds.all.flatMap(({ kind, atDoor }) => (atDoor === undefined ? [] : [[kind, inject(atDoor)]])),
  )

  /** @returns The door of a pending login, as it is now. */
  async read(session: Session, proof: PasswordProof): Promise<Door> {
    const { identifier, identity } = proof
    const unlock = await this.#locks.unlockOf(session, identifier)
    const enrolled = await this.#factors.usable(identifier)
    const held = new Set(enrolled.filter(({ is }) => is.isHeld).map(({ kind }) => kind))
    const accepted = await this.#policy.acceptedKinds(identity, held)
    const factors = enrolled.filter(({ kind }) => accepted.has(kind))
    const all = [...factors, ...(await this.#standIns(proof))]
    const usable = unlock === undefined ? all : all.map((factor) => ({ ...factor, lockedSeconds: 0 }))
    return { proof, challengeId: await challengeIdentifier(session), unlock, usable, held, accepted }
  }

  /** @returns The page of a kind. */
  pageOf(kind: FactorKind): DoorPage {
    return this.#kinds.of(kind).page
  }

  /** @returns What the page of a kind needs besides. */
  async dataOf(
    kind: FactorKind,
    context: HttpContext,
    { proof, challengeId }: Door,
  ): Promise<Readonly<Record<string, unknown>>> {
    return (await this.#atDoor.get(kind)?.pageData?.(context, proof.identifier, challengeId)) ?? {}
  }

  /** @returns The factor that the page of a kind asks for; undefined when the account has none of it. */
  async shownOn(session: Session, kind: FactorKind, { usable }: Door): Promise<UsableFactor | undefined> {
    const page = this.pageOf(kind)
    const open = openFactor(usable, await chosenFactor(session, usable))
    if (open?.is.page === page) return open
    const here = usable.filter(({ is }) => is.page === page)
    return here.find(({ lockedSeconds }) => lockedSeconds === 0) ?? here[0]
  }

  // What stands in for a factor here, and nowhere else.
  async #standIns({ identifier, identity, isByMail }: PasswordProof): Promise<readonly UsableFactor[]> {
    const found: UsableFactor[] = []
    // Only the password itself, or one mailbox would open both doors.
    if (isByMail === true) return found
    for (const is of this.#kinds.all) {
      if ((await this.#atDoor.get(is.kind)?.isOffered?.(identity)) !== true) continue
      const lockedSeconds = await this.#factors.lockedSeconds(identifier, { kind: is.kind })
      found.push({ kind: is.kind, id: is.kind, label: '', usedAt: null, lockedSeconds, is })
    }
    return found
  }
}
