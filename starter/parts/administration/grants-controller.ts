import { inject } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { AccountDirectory } from './account-directory.ts'
import { Grants } from './grants.ts'
import { Permissions } from '../../core/accounts/permissions.ts'
import { ActController, type ActWords, type Reason, reasonSchema, type ShownAct } from './act-controller.ts'

const GRANT: ActWords = {
  title: 'step-up.action.grant-permission',
  lead: 'admin.grant.lead',
  submit: 'admin.grant.submit',
  done: 'admin.grant.done',
}

const WITHDRAW: ActWords = {
  title: 'step-up.action.withdraw-permission',
  lead: 'admin.withdraw.lead',
  submit: 'admin.withdraw.submit',
  done: 'admin.withdraw.done',
  isDangerous: true,
}

/** Grants and withdraws permissions: for users with the permission `accounts.permissions`. */
export class GrantsController extends ActController {
  /** Actions and their parameters. */
  static readonly actions: Actions<GrantsController> = {
    grant: [param.string('id'), param.string('permission')],
    grantPost: [param.string('id'), param.string('permission'), form(reasonSchema)],
    withdraw: [param.string('id'), param.string('permission')],
    withdrawPost: [param.string('id'), param.string('permission'), form(reasonSchema)],
  }

  readonly #permissions = inject(Permissions)
  readonly #grants = inject(Grants)
  readonly #directory = inject(AccountDirectory)

  /** @returns The page that asks why. */
  async grant(id: string, permission: string): Promise<View> {
    this.#assertExists(permission)
    return this.actPage(await this.#shown(GRANT, 'admin:grant', { id, permission }), blankForm())
  }

  /** @returns A redirect to the page of the account. */
  async grantPost(id: string, permission: string, reason: Submitted<Reason>): Promise<View | Response> {
    this.#assertExists(permission)
    const shown = await this.#shown(GRANT, 'admin:grant', { id, permission })
    return this.attempt(shown, reason, (act) => this.#grants.grant(act, { accountId: id, permission }))
  }

  /** @returns The page that asks why. */
  async withdraw(id: string, permission: string): Promise<View> {
    return this.actPage(await this.#shown(WITHDRAW, 'admin:withdraw', { id, permission }), blankForm())
  }

  /** @returns A redirect to the page of the account. */
  async withdrawPost(id: string, permission: string, reason: Submitted<Reason>): Promise<View | Response> {
    const shown = await this.#shown(WITHDRAW, 'admin:withdraw', { id, permission })
    return this.attempt(shown, reason, (act) => this.#grants.withdraw(act, { accountId: id, permission }))
  }

  async #shown(
    words: ActWords,
    route: string,
    of: { readonly id: string; readonly permission: string },
  ): Promise<ShownAct> {
    const account = await this.#directory.find(of.id)
    if (account === undefined) throw new NotFoundException('There is no such account')
    const { about } = this.#permissions.lineOf(of.permission)
    return {
      words,
      facts: [
        { label: 'account.name', value: account.name },
        { label: 'account.email', value: account.email },
        { label: 'admin.permission', value: of.permission },
        ...(about === undefined ? [] : [{ label: 'admin.permission.allows', value: this.translate(about) }]),
      ],
      action: this.context.url(route, of),
      back: this.context.url('admin:account', { id: of.id }),
    }
  }
  // One that this version does not know can be withdrawn, not granted.
  #assertExists(permission: string): void {
    if (!this.#permissions.all.includes(permission))
      throw new NotFoundException('There is no such permission')
  }
}
