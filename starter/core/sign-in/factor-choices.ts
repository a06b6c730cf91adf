import type { DoorPage, FactorKind } from '../factors/factor-kinds.ts'
import type { UsableFactor } from '../factors/second-factors.ts'
import { factorName } from '../messages/factor-names.ts'
import { type Moment, type PageMessage, toMoment } from '../pages/presentation.ts'
import { waitMessage } from '../pages/page-controller.ts'

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

/** A message about locked factors, for the template `parts/warning`. */
export interface LockMessage extends PageMessage {
  /** How long to wait. Default: nothing is to be waited for. */
  readonly wait?: PageMessage
  /** The locked factors, each with its deadline. */
  readonly locked: readonly FactorChoice[]
  /** Name of the factor that the page asks for in their place. Default: none. */
  readonly asks?: PageMessage
}

/** What the choice is made of. */
export interface ChoiceParts {
  /** The page. */
  readonly page: DoorPage
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

/** @returns The factor of the page, and the other ones. A page that asks for all of a kind has no other ones of it. */
export function choicesOf({ page, usable, chosen }: ChoiceParts, time: ChoiceTime): FactorChoices {
  const toChoice = (factor: UsableFactor): FactorChoice => choiceOf(factor, time)
  const shown = shownFactor({ page, usable, chosen })
  const others = usable.filter((factor) =>
    page.asksForAll === true ? factor.is.page !== page : factor.id !== shown?.id,
  )
  const hasSeveral = others.some((other) => other.kind === shown?.kind)
  return { factor: shown && toChoice(shown), others: others.map(toChoice), hasSeveral }
}

/** @returns The factor that the page asks for; undefined when the account has none of its kind. */
export function shownFactor({ page, usable, chosen }: ChoiceParts): UsableFactor | undefined {
  const isHere = (factor: UsableFactor): boolean => factor.is.page === page
  if (chosen !== undefined && isHere(chosen)) return chosen
  return usable.find((factor) => isHere(factor) && factor.lockedSeconds === 0) ?? usable.find(isHere)
}

/**
 * @returns The one that the sign-in goes on with: the chosen one, or another factor of the account if it is locked. If all are, the
 *   one whose lock ends first. What stands in for a factor is asked for only when it is chosen.
 */
export function openFactor(
  usable: readonly UsableFactor[],
  chosen: UsableFactor | undefined,
): UsableFactor | undefined {
  if (chosen === undefined || chosen.lockedSeconds === 0) return chosen
  const held = usable.filter(({ is }) => is.isHeld)
  const [first = chosen] = held.toSorted((one, other) => one.lockedSeconds - other.lockedSeconds)
  return chosen.is.isHeld || first.lockedSeconds === 0 ? first : chosen
}

/** @returns The same, as a page names it: with a deadline and no wait, because the page ends before most locks do. */
export function choiceOf(
  { kind, id, label, lockedSeconds }: UsableFactor,
  { now, locale }: ChoiceTime,
): FactorChoice {
  const locked = lockedSeconds === 0 ? undefined : toMoment(now + lockedSeconds, locale)
  return { kind, id, name: factorName({ kind, label }), locked }
}

/** @returns Those that are locked. */
export function lockedOf(usable: readonly UsableFactor[], time: ChoiceTime): readonly FactorChoice[] {
  return usable.filter(({ lockedSeconds }) => lockedSeconds > 0).map((factor) => choiceOf(factor, time))
}

/** @returns Which factors are locked, until when, and what the page asks for all the same, or how long to wait for it. */
export function lockMessage(
  { usable, shown }: { readonly usable: readonly UsableFactor[]; readonly shown: UsableFactor | undefined },
  { id, time }: ToldLock,
): LockMessage {
  const locked = lockedOf(usable, time)
  if (shown?.lockedSeconds === 0) return { id, locked, asks: factorName(shown) }
  const waits = usable.map(({ lockedSeconds }) => lockedSeconds).filter((seconds) => seconds > 0)
  return { ...waitMessage(id, shown?.lockedSeconds ?? Math.min(...waits)), locked }
}

/** How a lock is told. */
export interface ToldLock {
  /** Message that says why. */
  readonly id: string
  /** When and for whom deadlines are shown. */
  readonly time: ChoiceTime
}
