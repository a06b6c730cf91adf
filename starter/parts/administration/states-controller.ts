import { inject } from 'sallyport'
import type { Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { AccountStates } from './account-states.ts'
import { ActController, type ActWords, type Reason, reasonSchema, type ShownAct } from './act-controller.ts'
import { SessionEnds } from './session-ends.ts'

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

  async disable(id: string): Promise<View> {
    return this.actPage(await this.actOn(id, DISABLE))
  }

  async disablePost(id: string, reason: Submitted<Reason>): Promise<View | Response> {
    return this.attempt(await this.actOn(id, DISABLE), reason, (act) => this.#states.disable(act, id))
  }

  async enable(id: string): Promise<View> {
    return this.actPage(await this.actOn(id, ENABLE))
  }

  async enablePost(id: string, reason: Submitted<Reason>): Promise<View | Response> {
    return this.attempt(await this.actOn(id, ENABLE), reason, (act) => this.#states.enable(act, id))
  }

  async endSessions(id: string): Promise<View> {
    return this.actPage(await this.actOn(id, END_SESSIONS))
  }

  async endSessionsPost(id: string, reason: Submitted<Reason>): Promise<View | Response> {
    return this.attempt(await this.actOn(id, END_SESSIONS), reason, (act) => this.#sessions.endAll(act, id))
  }

  endAll(): View {
    return this.actPage(this.#everybody())
  }

  /** Signs everybody out, the one who asks included. */
  endAllPost(reason: Submitted<Reason>): Promise<View | Response> {
    return this.attempt(this.#everybody(), reason, (act) => this.#sessions.endEverybodys(act))
  }

  #everybody(): ShownAct {
    return { words: END_ALL, facts: [], back: this.context.url('admin:home') }
  }
}
