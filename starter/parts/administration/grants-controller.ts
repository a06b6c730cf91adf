import { inject } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import type { Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { Permissions } from '../../core/accounts/permissions.ts'
import { ActController, type ActWords, type Reason, reasonSchema, type ShownAct } from './act-controller.ts'
import { Grants } from './grants.ts'

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
  static readonly actions: Actions<GrantsController> = {
    grant: [param.string('id'), param.string('permission')],
    grantPost: [param.string('id'), param.string('permission'), form(reasonSchema)],
    withdraw: [param.string('id'), param.string('permission')],
    withdrawPost: [param.string('id'), param.string('permission'), form(reasonSchema)],
  }

  readonly #permissions = inject(Permissions)
  readonly #grants = inject(Grants)

  async grant(id: string, permission: string): Promise<View> {
    this.#assertExists(permission)
    return this.actPage(await this.#shown(GRANT, id, permission))
  }

  async grantPost(id: string, permission: string, reason: Submitted<Reason>): Promise<View | Response> {
    this.#assertExists(permission)
    const shown = await this.#shown(GRANT, id, permission)
    return this.attempt(shown, reason, (act) => this.#grants.grant(act, { accountId: id, permission }))
  }

  async withdraw(id: string, permission: string): Promise<View> {
    return this.actPage(await this.#shown(WITHDRAW, id, permission))
  }

  async withdrawPost(id: string, permission: string, reason: Submitted<Reason>): Promise<View | Response> {
    const shown = await this.#shown(WITHDRAW, id, permission)
    return this.attempt(shown, reason, (act) => this.#grants.withdraw(act, { accountId: id, permission }))
  }

  #shown(words: ActWords, id: string, permission: string): Promise<ShownAct> {
    const { about } = this.#permissions.lineOf(permission)
    const allows =
      about === undefined ? [] : [{ label: 'admin.permission.allows', value: this.translate(about) }]
    return this.actOn(id, words, [{ label: 'admin.permission', value: permission }, ...allows])
  }

  // One that this version does not know can be withdrawn, not granted.
  #assertExists(permission: string): void {
    if (!this.#permissions.all.includes(permission))
      throw new NotFoundException('There is no such permission')
  }
}
