import { inject } from 'sallyport'
import { blankForm, type ShownForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import { ownerNameField } from 'sallyport-app/text'
import { PageController } from '../../core/pages/page-controller.ts'
import { NameChange } from './name-change.ts'

/** What the owner calls themselves. */
interface Name {
  readonly name: string
}

const nameSchema: z.ZodType<Name> = z.object({ name: ownerNameField })

/** Name and address of the account. */
export class ProfileController extends PageController {
  static readonly actions: Actions<ProfileController> = { index: [], indexPost: [form(nameSchema)] }

  readonly #names = inject(NameChange)

  index(): View {
    return this.#page(blankForm({ name: this.account().name }))
  }

  async indexPost(form: Submitted<Name>): Promise<View | Response> {
    if (!form.ok) return this.#page(form, 422)
    await this.#names.change(this.account().id, form.value.name, clientOf(this.context))
    return this.redirectSaying(this.context.url('profile:home'), 'profile.name.done')
  }

  #page(form: ShownForm, status = 200): View {
    const page = { title: 'profile.title', page: 'profile', email: this.account().email }
    return this.page('profile::home', page, { form, status })
  }
}
