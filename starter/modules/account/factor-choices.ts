import type { FactorKind } from '../../identity/factors/factor-kinds.ts'
import type { UsableFactor } from '../../identity/factors/second-factors.ts'
import { factorName } from '../../messages/factor-names.ts'
import { type Moment, type PageMessage, toMoment } from '../presentation.ts'

/** A factor as the pages of the second door name it. */
export interface FactorChoice {
  /** What is asked for. */
  readonly kind: FactorKind
  /** Identifier, for the form that chooses it. */
  readonly id: string
  /** Kind and name. */
  readonly name: PageMessage
  /** Until when it is locked; undefined when it is not. */
  readonly locked: Moment | undefined
}

/** What a page of the second door offers. */
export interface FactorChoices {
  /** The factor of the page; undefined when the account has none of that kind. */
  readonly factor: FactorChoice | undefined
  /** The other ones. */
  readonly others: readonly FactorChoice[]
  /** Whether several ones of the kind of the page are there, so that the page has to say which one it asks for. */
  readonly hasSeveral: boolean
}

/** What the choice is made of. */
export interface ChoiceParts {
  /** What the page asks for. */
  readonly kind: FactorKind
  /** Factors of the account, the one that was used last first. */
  readonly usable: readonly UsableFactor[]
  /** The one that was chosen, if any. */
  readonly chosen: UsableFactor | undefined
}

/** When and for whom deadlines are shown. */
export interface ChoiceTime {
  /** Unix timestamp in seconds. */
  readonly now: number
  /** Language of the page. */
  readonly locale: string
}

/**
 * @param parts What the choice is made of.
 * @param time When and for whom deadlines are shown.
 * @returns The factor of the page, and the other ones. Passkeys share a page: the browser offers all of them.
 */
export function choicesOf({ kind, usable, chosen }: ChoiceParts, time: ChoiceTime): FactorChoices {
  const toChoice = (factor: UsableFactor): FactorChoice => choiceOf(factor, time)
  const shown = shownFactor({ kind, usable, chosen })
  const others = usable.filter((factor) =>
    kind === 'passkey' ? factor.kind !== 'passkey' : factor.id !== shown?.id,
  )
  const hasSeveral = others.some((other) => other.kind === shown?.kind)
  return { factor: shown && toChoice(shown), others: others.map(toChoice), hasSeveral }
}

/**
 * @param parts What the choice is made of.
 * @returns The factor that the page asks for; undefined when the account has none of its kind.
 */
export function shownFactor({ kind, usable, chosen }: ChoiceParts): UsableFactor | undefined {
  const isHere = (factor: UsableFactor): boolean =>
    factor.kind === kind || (kind === 'totp' && factor.kind === 'hotp')
  if (chosen !== undefined && isHere(chosen)) return chosen
  return usable.find((factor) => isHere(factor) && factor.lockedSeconds === 0) ?? usable.find(isHere)
}

/**
 * @param factor A factor of the account.
 * @param time When and for whom deadlines are shown.
 * @returns The same, as a page names it: with a deadline and no wait, because the page ends before most locks do.
 */
export function choiceOf(
  { kind, id, label, lockedSeconds }: UsableFactor,
  { now, locale }: ChoiceTime,
): FactorChoice {
  const locked = lockedSeconds === 0 ? undefined : toMoment(now + lockedSeconds, locale)
  return { kind, id, name: factorName({ kind, label }), locked }
}
