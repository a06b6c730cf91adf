import { inject } from 'sallyport'
import type { Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { toMoment } from '../../core/pages/presentation.ts'
import { TurnedAway } from '../../core/sessions/turned-away.ts'
import {
  ActController,
  type ActWords,
  type Fact,
  factsOf,
  type Reason,
  reasonSchema,
  type ShownAct,
} from './act-controller.ts'
import { byWhom } from './account-lines.ts'
import { FactorResets, type ResetRequest } from './factor-resets.ts'

const RESET: ActWords = {
  title: 'step-up.action.reset-factors',
  lead: 'admin.reset.lead',
  submit: 'admin.reset.submit',
  done: 'admin.reset.done',
  isDangerous: true,
}

const APPROVE: ActWords = {
  title: 'step-up.action.approve-reset',
  lead: 'admin.approve.lead',
  submit: 'admin.approve.submit',
  done: 'admin.reset.done',
  isDangerous: true,
}

const CANCEL: ActWords = {
  title: 'step-up.action.cancel-reset',
  lead: 'admin.cancel-reset.lead',
  submit: 'admin.cancel-reset.submit',
  done: 'admin.cancel-reset.done',
}

const SHOWN_REQUESTS = 50

const BARS = {
  own_account: 'admin.approve.account',
  second_person: 'admin.approve.own',
  dependent_person: 'admin.approve.dependent',
}

/** Resets second factors, alone or with the approval of a second person: for users with the permission `factors.reset`. */
export class ResetsController extends ActController {
  static readonly actions: Actions<ResetsController> = {
    index: [],
    reset: [param.string('id')],
    resetPost: [param.string('id'), form(reasonSchema)],
    approve: [param.string('request')],
    approvePost: [param.string('request'), form(reasonSchema)],
    cancel: [param.string('request')],
    cancelPost: [param.string('request'), form(reasonSchema)],
  }

  readonly #resets = inject(FactorResets)

  /** The requests that wait for a second person. */
  async index(): Promise<View> {
    const requests = await this.#resets.waiting(SHOWN_REQUESTS)
    return this.page('administration::resets', {
      title: 'admin.resets.title',
      page: 'admin',
      requests: await Promise.all(
        requests.map(async (request) => ({
          ...request,
          isOwn: (await this.#barOf(request)) !== undefined,
          by: byWhom(request.requestedBy, request.requestedByName),
          expires: toMoment(request.expiresAt, this.context.locale()),
        })),
      ),
    })
  }

  async reset(id: string): Promise<View> {
    return this.actPage(await this.#resetting(id))
  }

  async resetPost(id: string, reason: Submitted<Reason>): Promise<View | Response> {
    return this.attempt(await this.#resetting(id), reason, async (act) =>
      (await this.#resets.reset(act, id)) === 'requested' ? 'admin.reset.requested' : undefined,
    )
  }

  /** The page that asks what was checked; for those who must not approve it, one that says who has to. */
  async approve(id: string): Promise<View> {
    const request = await this.#find(id)
    const bar = await this.#barOf(request)
    if (bar === undefined) return this.actPage(this.#decision(APPROVE, request))
    const { words, facts } = this.#decision(APPROVE, request)
    const page = { title: words.title, page: 'admin', narrow: true, text: BARS[bar], facts }
    const cancel = this.context.url('admin:cancel-reset', { request: id })
    return this.page('administration::no-decision', { ...page, cancel }, { status: 403 })
  }

  async approvePost(id: string, reason: Submitted<Reason>): Promise<View | Response> {
    const shown = this.#decision(APPROVE, await this.#find(id))
    return this.attempt(shown, reason, (act) => this.#resets.approve(act, id))
  }

  async cancel(id: string): Promise<View> {
    return this.actPage(this.#decision(CANCEL, await this.#find(id)))
  }

  async cancelPost(id: string, reason: Submitted<Reason>): Promise<View | Response> {
    const shown = this.#decision(CANCEL, await this.#find(id))
    return this.attempt(shown, reason, (act) => this.#resets.cancel(act, id))
  }

  async #resetting(id: string): Promise<ShownAct> {
    const shown = await this.actOn(id, RESET)
    return this.#resets.needsApproval ? { ...shown, warning: { id: 'admin.reset.two' } } : shown
  }

  async #find(id: string): Promise<ResetRequest> {
    return (await this.#resets.find(id)) ?? this.turnAway(TurnedAway.notThere, 'admin:resets')
  }

  #barOf(request: ResetRequest): Promise<keyof typeof BARS | undefined> {
    return this.#resets.barOf(request, this.account().id)
  }

  #decision(words: ActWords, request: ResetRequest): ShownAct {
    const { id, values } = byWhom(request.requestedBy, request.requestedByName)
    const asker: Fact = { label: 'admin.resets.asked', value: this.translate(id, values) }
    const facts = [...factsOf(request), { label: 'admin.reason', value: request.reason }, asker]
    return { words, facts, back: this.context.url('admin:resets') }
  }
}
