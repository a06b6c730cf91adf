import { inject } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { AccountDirectory } from './account-directory.ts'
import { AccountStates } from './account-states.ts'
import { SessionEnds } from './session-ends.ts'
import { ActController, type ActWords, type Reason, reasonSchema, type ShownAct } from './act-controller.ts'

const DISABLE: ActWords = {
  title: 'step-up.action.disable-account',
  lead: 'admin.disable.lead',
  submit: 'admin.disable.submit',
  done: 'admin.disable.done',
  isDangerous: true,
}

const ENABLE: ActWords = {
  title: 'step-up.action.enable-account',
  lead: 'admin.enable.lead',
  submit: 'admin.enable.submit',
  done: 'admin.enable.done',
}

const END_SESSIONS: ActWords = {
  title: 'step-up.action.end-account-sessions',
  lead: 'admin.end-sessions.lead',
  submit: 'admin.end-sessions.submit',
  done: 'admin.end-sessions.done',
  isDangerous: true,
}

const END_ALL: ActWords = {
  title: 'step-up.action.end-all-sessions',
  lead: 'admin.end-all.lead',
  submit: 'admin.end-all.submit',
  done: 'admin.end-all.done',
  isDangerous: true,
}

/** Disables and enables accounts, and ends sessions: for users with the permission `accounts.manage`. */
export class StatesController extends ActController {
  /** Actions and their parameters. */
  static readonly actions: Actions<StatesController> = {
    disable: [param.string('id')],
    disablePost: [param.string('id'), form(reasonSchema)],
    enable: [param.string('id')],
    enablePost: [param.string('id'), form(reasonSchema)],
    endSessions: [param.string('id')],
    endSessionsPost: [param.string('id'), form(reasonSchema)],
    endAll: [],
    endAllPost: [form(reasonSchema)],
  }

  readonly #states = inject(AccountStates)
  readonly #sessions = inject(SessionEnds)
  readonly #directory = inject(AccountDirectory)

  /** @returns The page that asks why. */
  async disable(id: string): Promise<View> {
    return this.actPage(await this.#shown(DISABLE, 'admin:disable', id), blankForm())
  }

  /** @returns A redirect to the page of the account. */
  async disablePost(id: string, reason: Submitted<Reason>): Promise<View | Response> {
    return this.attempt(await this.#shown(DISABLE, 'admin:disable', id), reason, (act) =>
      this.#states.disable(act, id),
    )
  }

  /** @returns The page that asks why. */
  async enable(id: string): Promise<View> {
    return this.actPage(await this.#shown(ENABLE, 'admin:enable', id), blankForm())
  }

  /** @returns A redirect to the page of the account. */
  async enablePost(id: string, reason: Submitted<Reason>): Promise<View | Response> {
    return this.attempt(await this.#shown(ENABLE, 'admin:enable', id), reason, (act) =>
      this.#states.enable(act, id),
    )
  }

  /** @returns The page that asks why. */
  async endSessions(id: string): Promise<View> {
    return this.actPage(await this.#shown(END_SESSIONS, 'admin:end-sessions', id), blankForm())
  }

  /** @returns A redirect to the page of the account. */
  async endSessionsPost(id: string, reason: Submitted<Reason>): Promise<View | Response> {
    return this.attempt(await this.#shown(END_SESSIONS, 'admin:end-sessions', id), reason, (act) =>
      this.#sessions.endAll(act, id),
    )
  }

  /** @returns The page that asks why. */
  endAll(): View {
    return this.actPage(this.#everybody(), blankForm())
  }

  /**
   * Signs everybody out, the one who asks included.
   *
   * @returns A redirect to the administration, which leads to the login page.
   */
  endAllPost(reason: Submitted<Reason>): Promise<View | Response> {
    return this.attempt(this.#everybody(), reason, (act) => this.#sessions.endEverybodys(act))
  }

  #everybody(): ShownAct {
    const { context } = this
    return {
      words: END_ALL,
      facts: [],
      action: context.url('admin:end-all'),
      back: context.url('admin:home'),
    }
  }

  async #shown(words: ActWords, route: string, id: string): Promise<ShownAct> {
    const account = await this.#directory.find(id)
    if (account === undefined) throw new NotFoundException('There is no such account')
    return {
      words,
      facts: [
        { label: 'account.name', value: account.name },
        { label: 'account.email', value: account.email },
      ],
      action: this.context.url(route, { id }),
      back: this.context.url('admin:account', { id }),
    }
  }
}
