import { inject } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import { blankForm, type ShownForm, type Submitted, ValidationException } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import { keptCredentialVersion } from 'sallyport-app/sessions'
import { Permissions } from '../../core/accounts/permissions.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { AccountActs } from './account-acts.ts'
import { AccountDirectory } from './account-directory.ts'
import type { Act } from './acts.ts'
import { Grants } from './grants.ts'
import { type TaskName, TASKS } from './tasks.ts'

/** The field of every form. The use case judges what a reason is. */
interface Reason {
  readonly reason: string
}

const reasonSchema: z.ZodType<Reason> = z.object({ reason: z.string() })

const ID = param.string('id')
const PERMISSION = param.string('permission')

type Run = (act: Act, accountId: string, permission: string) => Promise<unknown>

/** The pages on which something is done to an account: each asks for a reason, and posts to its own address. */
export class TaskController extends PageController {
  static readonly actions: Actions<TaskController> = {
    index: [ID],
    indexPost: [ID, form(reasonSchema)],
    permission: [ID, PERMISSION],
    permissionPost: [ID, PERMISSION, form(reasonSchema)],
  }

  readonly #directory = inject(AccountDirectory)
  readonly #permissions = inject(Permissions)
  readonly #acts = inject(AccountActs)
  readonly #grants = inject(Grants)
  readonly #runs: Readonly<Record<TaskName, Run>> = {
    disable: (act, id) => this.#acts.disable(act, id),
    enable: (act, id) => this.#acts.enable(act, id),
    'end-sessions': (act, id) => this.#acts.endSessions(act, id),
    'reset-factors': (act, id) => this.#acts.resetFactors(act, id),
    grant: (act, accountId, permission) => this.#grants.grant(act, { accountId, permission }),
    withdraw: (act, accountId, permission) => this.#grants.withdraw(act, { accountId, permission }),
  }

  index(id: string): Promise<View> {
    return this.#page(id, '', blankForm())
  }

  indexPost(id: string, reason: Submitted<Reason>): Promise<View | Response> {
    return this.#attempt(id, '', reason)
  }

  permission(id: string, permission: string): Promise<View> {
    return this.#page(id, permission, blankForm())
  }

  permissionPost(id: string, permission: string, reason: Submitted<Reason>): Promise<View | Response> {
    return this.#attempt(id, permission, reason)
  }

  // As the router has matched it, with the guards of this task.
  #task(): TaskName {
    const { pattern } = this.context.route()
    return pattern.replace('/{permission}', '').split('/').at(-1) as TaskName
  }

  // A rule that refuses is shown on the page, also to those who hold the permission.
  async #attempt(id: string, permission: string, form: Submitted<Reason>): Promise<View | Response> {
    const task = this.#task()
    if (!form.ok) return this.#page(id, permission, form)
    try {
      await this.#runs[task](await this.#act(form.value.reason), id, permission)
    } catch (error) {
      if (!(error instanceof ValidationException)) throw error
      return this.#page(id, permission, form.refuse(...error.violations))
    }
    return this.redirectSaying(this.context.url('admin:account', { id }), `admin.${task}.done`)
  }

  async #page(id: string, permission: string, form: ShownForm): Promise<View> {
    const account = await this.#directory.find(id)
    if (account === undefined) throw new NotFoundException('There is no such account')
    const task = this.#task()
    const { rule, isDangerous, isOfPermission } = TASKS[task]
    const data = {
      title: rule.action,
      page: 'admin',
      narrow: true,
      task,
      isDangerous,
      account,
      permission: isOfPermission && this.#permissions.lineOf(permission),
      back: this.context.url('admin:account', { id }),
    }
    return this.page('administration::task', data, { form, status: form.violations.length > 0 ? 422 : 200 })
  }

  async #act(reason: string): Promise<Act> {
    const { context } = this
    const { id } = this.account()
    // A session without a version is none of a signed-in user; 0 is the version of no account.
    const credentialVersion = (await keptCredentialVersion(context.session())) ?? 0
    return { by: { kind: 'account', id, ...clientOf(context), credentialVersion }, reason }
  }
}
