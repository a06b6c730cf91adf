import { inject } from 'sallyport'
import { blankForm } from 'sallyport/input'
import type { View } from 'sallyport/view'
import type { DoorPage, FactorKind } from '../factors/factor-kinds.ts'
import type { UsableFactor } from '../factors/second-factors.ts'
import { factorName } from '../messages/factor-names.ts'
import { waitMessage } from 'sallyport-app/pages'
import { PageController, type PageState } from '../pages/page-controller.ts'
import { TIMES } from '../messages/language.ts'
import { type Door, Doors } from './door.ts'

/** Message of a page whose factors are all locked. */
export const LOCKED = 'challenge.locked'

/** What the pages of the second door show: each asks for all factors of the account that it is for, and links the others. */
export class DoorPages extends PageController {
  protected readonly doors: Doors = inject(Doors)

  /** @returns The page of a kind. If what it asks for is locked, it says for how long. */
  protected async pageOf(kind: FactorKind, door: Door, state: PageState = {}): Promise<View | Response> {
    const { usable, proof } = door
    const { form = blankForm() } = state
    const page = this.doors.pageOf(kind)
    const added = await this.doors.dataOf(kind, this.context, door)
    const asked = usable.filter(({ is }) => is.page === page)
    const kinds = asked.length === 0 ? [kind] : [...new Set(asked.map((factor) => factor.kind))]
    const wait = waitOf(asked)
    const warning = state.warning ?? (wait > 0 ? waitMessage(LOCKED, wait) : undefined)
    const data = {
      title: page.title,
      failed: warning !== undefined || form.violations.length > 0,
      page: 'login',
      narrow: true,
      door: 2,
      email: proof.identity.principal.email,
      kinds,
      names: asked.map(factorName),
      isLocked: wait > 0,
      others: this.waysOf(usable, page),
      ...added,
      ...(await this.slots.dataFor(['secondDoor'], this.context, proof.identity)),
    }
    const others = usable.filter((factor) => !asked.includes(factor)).map(factsOf)
    const facts = { kind: kinds[0], lockedSeconds: wait, ...added, others }
    const view = this.page(page.template, data, { ...state, form, ...(warning && { warning }) })
    return this.pageOrState('challenge', facts, view)
  }

  /** @returns The pages that ask for these factors, as links. A lock has a deadline, because the page ends before most locks do. */
  protected waysOf(usable: readonly UsableFactor[], except?: DoorPage): readonly object[] {
    const pages = new Set(usable.map(({ is }) => is.page).filter((page) => page !== except))
    return [...pages].map((page) => {
      const asked = usable.filter(({ is }) => is.page === page)
      const wait = waitOf(asked)
      const until = this.clock.timestamp() + wait
      return {
        names: asked.map(factorName),
        path: this.context.url(page.route, page.query ?? {}),
        locked: wait === 0 ? undefined : TIMES.moment(until, this.context.locale()),
      }
    })
  }
}

// Until one of them is checked again.
function waitOf(factors: readonly UsableFactor[]): number {
  return factors.length === 0 ? 0 : Math.min(...factors.map(({ lockedSeconds }) => lockedSeconds))
}

// What programs are told of a factor.
function factsOf({ kind, lockedSeconds }: UsableFactor): object {
  return { kind, lockedSeconds }
}
