import { inject } from 'sallyport'
import { Parts } from '../part.ts'
import { Settings } from '../settings.ts'
import { AUTHENTICATOR_LIMIT, RECOVERY_LIMIT } from '../limits/limits.ts'
import {
  CODE_PAGE,
  type CodeMethod,
  type FactorKind,
  type HeldKind,
  type SecondFactorKind,
} from './factor-kinds.ts'
import { TotpCodes } from './totp-code.ts'

/** What all kinds of authenticators have in common: six digits, typed on one page. */
export const AUTHENTICATOR_KIND: Pick<SecondFactorKind, 'isHeld' | 'page' | 'limit'> = {
  isHeld: true,
  page: CODE_PAGE,
  limit: (_accountId, id) => AUTHENTICATOR_LIMIT.of(id),
}

const TOTP = {
  ...AUTHENTICATOR_KIND,
  kind: 'totp',
  setUp: 'enrollment:start',
  codes: TotpCodes,
} as const

const RECOVERY: SecondFactorKind = {
  kind: 'recovery',
  isHeld: false,
  page: { route: 'account:recovery', template: 'account/recovery', title: 'recovery.title' },
  limit: (accountId) => RECOVERY_LIMIT.of(accountId),
}

/** The kinds of second factors that this application knows: its own, and those of its parts. */
export class FactorKinds {
  readonly #settings = inject(Settings)

  /** All of them. Recovery codes come last: they are for a loss. */
  readonly all: readonly SecondFactorKind[] = [
    TOTP,
    ...inject(Parts).all.flatMap(({ factorKinds = [] }) => factorKinds),
    RECOVERY,
  ]

  /** Those that accounts hold. */
  readonly held: readonly HeldKind[] = this.#heldOf(({ isHeld }) => isHeld)

  /** Authenticators that owners may add. */
  readonly authenticators: readonly HeldKind[] = this.#heldOf(
    ({ codes, isOffered }) => codes !== undefined && isOffered?.(this.#settings) !== false,
  )

  readonly #codes: ReadonlyMap<FactorKind, CodeMethod> = new Map(
    this.all.flatMap(({ kind, codes }) => (codes === undefined ? [] : [[kind, inject(codes)]])),
  )

  /** @throws {Error} If no part of this application has it. */
  of(kind: FactorKind): SecondFactorKind {
    const found = this.find(kind)
    if (found === undefined)
      throw new Error(`Cannot use a factor of the kind "${kind}": its part is missing from parts.ts`)
    return found
  }

  /** @returns The kind of that name; undefined when there is none. */
  find(value: unknown): SecondFactorKind | undefined {
    return this.all.find(({ kind }) => kind === value)
  }

  /** @returns How its codes are made; undefined when it has none, or no part of this application has it. */
  codesOf(kind: FactorKind): CodeMethod | undefined {
    return this.#codes.get(kind)
  }

  /**
   * @param kinds Kinds that fulfill a duty. Default: any does.
   * @returns What an account with this duty sets up: an authenticator app, unless that is none of them.
   */
  toSetUp(kinds: readonly FactorKind[] = this.held): SecondFactorKind & { readonly setUp: string } {
    const found = this.all.find(({ kind, setUp }) => setUp !== undefined && kinds.includes(kind))
    return { ...TOTP, ...found }
  }

  /**
   * Whoever proves a factor has not lost all of them, and a recovery code replaces at once what is lost. Whatever else stands in for a
   * factor does so at the door only, so a recovery or a reset that waits goes on.
   *
   * @param proof What opened the second door. Default: the password alone.
   * @returns Whether a sign-in with it ends what is under way to replace a lost factor.
   */
  endsLoss(proof: FactorKind | undefined): boolean {
    return proof === 'recovery' || this.find(proof)?.isHeld === true
  }

  #heldOf(isAsked: (kind: SecondFactorKind) => boolean): readonly HeldKind[] {
    return this.all.filter(isAsked).map(({ kind }) => kind as HeldKind)
  }
}
