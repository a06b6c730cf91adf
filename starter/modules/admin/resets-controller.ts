import { inject } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { Account } from '../../identity/accounts/account.ts'
import { AccountDirectory } from '../../identity/administration/account-directory.ts'
import { FactorResets, type ResetRequest } from '../../identity/administration/factor-resets.ts'
import { toMoment } from '../presentation.ts'
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
    const { id } = this.context.auth().principalAs(Account)
    return this.page('admin/resets', {
      title: 'admin.resets.title',
      page: 'admin',
      requests: requests.map((request) => ({
        ...request,
        isOwn: request.requestedBy === id || request.accountId === id,
        by: byWhom(request.requestedBy, request.requestedByName),
        expires: toMoment(request.expiresAt, this.context.locale()),
      })),
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
   * @returns The page that asks what was checked.
   */
  async approve(request: string): Promise<View> {
    return this.actPage(await this.#decision(APPROVE, 'admin:approve-reset', request), blankForm())
  }

  /**
   * @param request Identifier of the request.
   * @param reason The form.
   * @returns A redirect to the requests.
   */
  async approvePost(request: string, reason: Submitted<Reason>): Promise<View | Response> {
    const shown = await this.#decision(APPROVE, 'admin:approve-reset', request)
    return this.attempt(shown, reason, (act) => this.#resets.approve(act, request))
  }

  /**
   * @param request Identifier of the request.
   * @returns The page that asks why.
   */
  async cancel(request: string): Promise<View> {
    return this.actPage(await this.#decision(CANCEL, 'admin:cancel-reset', request), blankForm())
  }

  /**
   * @param request Identifier of the request.
   * @param reason The form.
   * @returns A redirect to the requests.
   */
  async cancelPost(request: string, reason: Submitted<Reason>): Promise<View | Response> {
    const shown = await this.#decision(CANCEL, 'admin:cancel-reset', request)
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

  #asker({ requestedBy, requestedByName }: ResetRequest): ShownAct['facts'][number] {
    const { id, values } = byWhom(requestedBy, requestedByName)
    return { label: 'admin.resets.asked', value: this.translate(id, values) }
  }

  async #decision(words: ActWords, route: string, id: string): Promise<ShownAct> {
    const request: ResetRequest | undefined = await this.#resets.find(id)
    if (request === undefined) throw new NotFoundException('There is no such request')
    return {
      words,
      facts: [...factsOf(request), { label: 'admin.reason', value: request.reason }, this.#asker(request)],
      action: this.context.url(route, { request: id }),
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
