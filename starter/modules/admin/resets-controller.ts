import { inject } from 'sallyport'
import { HttpException, NotFoundException, prefersJson } from 'sallyport/http'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { Account } from '../../identity/accounts/account.ts'
import { AccountDirectory } from '../../identity/administration/account-directory.ts'
import {
  type EndedRequest,
  FactorResets,
  type ResetRequest,
} from '../../identity/administration/factor-resets.ts'
import { type Moment, type PageMessage, toMoment } from '../presentation.ts'
import { ActController, type ActWords, type Reason, reasonSchema, type ShownAct } from './act-controller.ts'
import { byWhom } from './act-lines.ts'

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

// What a program is told of a request that has ended.
const ERR_RESET_OVER = 'ERR_STARTER_RESET_OVER'

const ENDS: Readonly<Record<EndedRequest['end'], string>> = {
  approved: 'admin.over.approved',
  cancelled: 'admin.over.cancelled',
  expired: 'admin.over.expired',
  changed: 'admin.over.changed',
}

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

  /**
   * @returns The requests that wait for a second person.
   */
  async index(): Promise<View> {
    const requests = await this.#resets.waiting(SHOWN_REQUESTS)
    return this.page('admin/resets', {
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

  /**
   * @param id Account reference.
   * @returns The page that asks why.
   */
  async reset(id: string): Promise<View> {
    return this.actPage(await this.#shown(id), blankForm())
  }

  /**
   * @param id Account reference.
   * @param reason The form.
   * @returns A redirect to the page of the account.
   */
  async resetPost(id: string, reason: Submitted<Reason>): Promise<View | Response> {
    return this.attempt(await this.#shown(id), reason, async (act) =>
      (await this.#resets.reset(act, id)) === 'requested' ? 'admin.reset.requested' : undefined,
    )
  }

  /**
   * @param request Identifier of the request.
   * @returns The page that asks what was checked; for who asked, or owns the account, one that says who has to approve; the page that
   *   says what became of a request that has ended.
   */
  async approve(request: string): Promise<View> {
    const found = await this.#resets.find(request)
    if (found === undefined) return this.#over(request)
    const bar = await this.#barOf(found)
    if (bar !== undefined) return this.#barred(found, bar)
    return this.actPage(this.#decision(APPROVE, 'admin:approve-reset', found), blankForm())
  }

  /**
   * @param request Identifier of the request.
   * @param reason The form.
   * @returns A redirect to the requests.
   */
  async approvePost(request: string, reason: Submitted<Reason>): Promise<View | Response> {
    const found = await this.#resets.find(request)
    if (found === undefined) return this.#over(request)
    const shown = this.#decision(APPROVE, 'admin:approve-reset', found)
    return this.attempt(shown, reason, (act) => this.#resets.approve(act, request))
  }

  /**
   * @param request Identifier of the request.
   * @returns The page that asks why; the page that says what became of a request that has ended.
   */
  async cancel(request: string): Promise<View> {
    const found = await this.#resets.find(request)
    if (found === undefined) return this.#over(request)
    return this.actPage(this.#decision(CANCEL, 'admin:cancel-reset', found), blankForm())
  }

  /**
   * @param request Identifier of the request.
   * @param reason The form.
   * @returns A redirect to the requests.
   */
  async cancelPost(request: string, reason: Submitted<Reason>): Promise<View | Response> {
    const found = await this.#resets.find(request)
    if (found === undefined) return this.#over(request)
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
    return this.page('admin/no-decision', { ...page, cancel }, { status: 403 })
  }

  async #over(id: string): Promise<View> {
    const over = await this.#resets.endOf(id)
    if (over === undefined) throw new NotFoundException('There is no such request')
    const text = ENDS[over.end]
    if (prefersJson(this.context.header('accept')))
      throw new HttpException(410, ERR_RESET_OVER, this.translate(text))
    const page = { title: 'admin.over.title', failed: true, page: 'admin', narrow: true, text }
    const shown = { ...page, facts: factsOf(over), decided: this.#decisionOf(over) }
    return this.page('admin/no-decision', shown, { status: 410 })
  }

  #decisionOf({
    decidedBy,
    decidedByName,
    decidedAt,
  }: EndedRequest): { readonly time: Moment; readonly by: PageMessage } | undefined {
    if (decidedBy === null) return undefined
    return { time: toMoment(decidedAt, this.context.locale()), by: byWhom(decidedBy, decidedByName) }
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
