import { inject, Secret } from 'sallyport'
import { blankForm, type ShownForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { OpenSessions } from 'sallyport-app/sessions'
import { labelField } from 'sallyport-app/text'
import { Users } from '../../core/accounts/users.ts'
import { ApiTokens, TOKEN_DAYS, type TokenRefusal } from './api-tokens.ts'
import { Scopes } from './scopes.ts'
import { Permissions } from '../../core/accounts/permissions.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { TurnedAway } from '../../core/sessions/turned-away.ts'

const DEFAULT_DAYS = 30

/** What the owner of a token chooses. */
interface TokenForm {
  /** Identifier of the token that this form makes; undefined when it carries none. */
  readonly form?: string | undefined
  readonly label: string
  readonly days: string
  readonly scopes: readonly string[]
}

const formIdentifier = z.uuid().optional().catch(undefined)
const tokenSchema: z.ZodType<TokenForm> = z.object({
  form: formIdentifier,
  label: labelField,
  days: z.enum(TOKEN_DAYS.map(String)),
  scopes: z.array(z.string()).default([]),
})

// Whatever refuses a token concerns the form as a whole.
const REFUSALS: Readonly<Record<Exclude<TokenRefusal, 'outdated'>, string>> = {
  count: 'too_many_tokens',
  scope: 'scope_not_held',
}

// A program that only wants to know who it acts for gets a permission as well, by a choice that is seen.
const NO_SCOPE = {
  field: 'scopes',
  code: 'no_scope',
  fallback: 'Choose at least one permission',
  domain: 'auth',
}

/** Makes a token, for a user who has just proven password and factor. */
export class NewTokenController extends PageController {
  static readonly actions: Actions<NewTokenController> = { index: [], indexPost: [form(tokenSchema)] }

  readonly #permissions = inject(Permissions)
  readonly #scopes = inject(Scopes)
  readonly #tokens = inject(ApiTokens)
  readonly #users = inject(Users)
  readonly #open = inject(OpenSessions)

  index(): Promise<View> {
    return this.#formPage(blankForm({ days: String(DEFAULT_DAYS) }))
  }

  /** Shows the token this once. A form that has made its token makes no other one. */
  async indexPost(form: Submitted<TokenForm>): Promise<View | Response> {
    if (!form.ok) return this.#formPage(form, 422)
    if (form.value.scopes.length === 0) return this.#formPage(form.refuse(NO_SCOPE), 422)
    const owner = this.owner()
    const { credentialVersion, stands } = await this.#open.held(this.context.session(), owner.accountId)
    const { form: id = this.#tokens.newIdentifier(), label: name, days, scopes } = form.value
    const wanted = { id, name, scopes, days: Number(days), credentialVersion, stands }
    const made = await this.#tokens.create(owner, wanted)
    if (made === 'outdated') return this.#turnBack()
    if (!(made instanceof Secret)) {
      const code = REFUSALS[made]
      const fallback = 'This token cannot be made'
      return this.#formPage(form.refuse({ field: null, code, fallback, domain: 'auth' }), 422)
    }
    const page = { title: 'tokens.made.title', page: 'tokens', narrow: true, here: '' }
    return this.page('api::made', { ...page, token: made.reveal(), name })
  }

  // To the list, where the token is: the page with its text may never have been seen.
  #turnBack(): never {
    return this.turnAway(TurnedAway.outOfDate, 'tokens:list')
  }

  async #formPage(form: ShownForm, status = 200): Promise<View> {
    const { id } = this.account()
    const identity = await this.#users.authenticationIdentity(id)
    const scopes = this.#scopes
      .grantable(identity?.permissions ?? [])
      .map((name) => this.#permissions.lineOf(name))
    const page = { title: 'tokens.new.title', page: 'tokens', narrow: true }
    // A form that was refused is the same one when it is posted again.
    const formId = formIdentifier.parse(form.value('form')) ?? this.#tokens.newIdentifier()
    const data = { ...page, formId, scopes, days: TOKEN_DAYS.map(String) }
    return this.page('api::new', data, { form, status })
  }
}
