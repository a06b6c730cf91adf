import { inject } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { Account } from '../../core/accounts/account.ts'
import { AccountDirectory } from './account-directory.ts'
import { FactorResets, type ResetRequest } from './factor-resets.ts'
import { toMoment } from '../../core/pages/presentation.ts'
import { ActController, type ActWords, type Reason, reasonSchema, type ShownAct } from './act-controller.ts'
import { byWhom } from './act-lines.ts'
import { TurnedAway } from '../../core/sessions/turned-away.ts'

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
  /** Actions and their parameters. */
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
  readonly #directory = inject(AccountDirectory)

  /** @returns The requests that wait for a second person. */
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

  /** @returns The page that asks why. */
  async reset(id: string): Promise<View> {
    return this.actPage(await this.#shown(id), blankForm())
  }

  /** @returns A redirect to the page of the account. */
  async resetPost(id: string, reason: Submitted<Reason>): Promise<View | Response> {
    return this.attempt(await this.#shown(id), reason, async (act) =>
      (await this.#resets.reset(act, id)) === 'requested' ? 'admin.reset.requested' : undefined,
    )
  }

  /** @returns The page that asks what was checked; for who asked, or owns the account, one that says who has to approve. */
  async approve(request: string): Promise<View> {
    const found = await this.#resets.find(request)
    if (found === undefined) return this.turnAway(TurnedAway.notThere, 'admin:resets')
    const bar = await this.#barOf(found)
    if (bar !== undefined) return this.#barred(found, bar)
    return this.actPage(this.#decision(APPROVE, 'admin:approve-reset', found), blankForm())
  }

  /** @returns A redirect to the requests. */
  async approvePost(request: string, reason: Submitted<Reason>): Promise<View | Response> {
    const found = await this.#resets.find(request)
    if (found === undefined) return this.turnAway(TurnedAway.notThere, 'admin:resets')
    const shown = this.#decision(APPROVE, 'admin:approve-reset', found)
    return this.attempt(shown, reason, (act) => this.#resets.approve(act, request))
  }

  /** @returns The page that asks why. */
  async cancel(request: string): Promise<View> {
    const found = await this.#resets.find(request)
    if (found === undefined) return this.turnAway(TurnedAway.notThere, 'admin:resets')
    return this.actPage(this.#decision(CANCEL, 'admin:cancel-reset', found), blankForm())
  }

  /** @returns A redirect to the requests. */
  async cancelPost(request: string, reason: Submitted<Reason>): Promise<View | Response> {
    const found = await this.#resets.find(request)
    if (found === undefined) return this.turnAway(TurnedAway.notThere, 'admin:resets')
    const shown = this.#decision(CANCEL, 'admin:cancel-reset', found)
    return this.attempt(shown, reason, (act) => this.#resets.cancel(act, request))
  }

  async #shown(id: string): Promise<ShownAct> {
    const account = await this.#directory.find(id)
    if (account === undefined) throw new NotFoundException('There is no such account')
    const shown = {
      words: RESET,
      facts: factsOf(account),
      action: this.context.url('admin:reset-factors', { id }),
      back: this.context.url('admin:account', { id }),
    }
    return this.#resets.needsApproval ? { ...shown, warning: { id: 'admin.reset.two' } } : shown
  }

  // What the use case would refuse.
  async #barOf(request: ResetRequest): Promise<string | undefined> {
    const rule = await this.#resets.barOf(request, this.context.auth().principalAs(Account).id)
    return rule && BARS[rule]
  }

  #barred(request: ResetRequest, text: string): View {
    const facts = this.#factsOf(request)
    const page = { title: APPROVE.title, failed: true, page: 'admin', narrow: true, text, facts }
    const cancel = this.context.url('admin:cancel-reset', { request: request.id })
    return this.page('administration::no-decision', { ...page, cancel }, { status: 403 })
  }

  #factsOf(request: ResetRequest): ShownAct['facts'] {
    return [...factsOf(request), { label: 'admin.reason', value: request.reason }, this.#asker(request)]
  }

  #asker({ requestedBy, requestedByName }: ResetRequest): ShownAct['facts'][number] {
    const { id, values } = byWhom(requestedBy, requestedByName)
    return { label: 'admin.resets.asked', value: this.translate(id, values) }
  }

  #decision(words: ActWords, route: string, request: ResetRequest): ShownAct {
    return {
      words,
      facts: this.#factsOf(request),
      action: this.context.url(route, { request: request.id }),
      back: this.context.url('admin:resets'),
    }
  }
}

function factsOf({ name, email }: { readonly name: string; readonly email: string }): ShownAct['facts'] {
  return [
    { label: 'account.name', value: name },
    { label: 'account.email', value: email },
  ]
}
