import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { labelField } from 'sallyport-app/text'
import { FactorChanges } from '../factors/factor-changes.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { SecondFactors } from '../factors/second-factors.ts'
import type { FormPage } from '../pages/page-controller.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { SecurityPage } from './security-page.ts'

/** Fields of the form. */
interface Name {
  readonly label: string
}

const nameSchema: z.ZodType<Name> = z.object({ label: labelField })

/** Name and removal of a second factor, whatever its kind. An identifier of another account finds nothing. */
export class FactorController extends SecurityPage {
  static readonly actions: Actions<FactorController> = {
    rename: [param.string('id')],
    renamePost: [param.string('id'), form(nameSchema)],
    remove: [param.string('id')],
    removePost: [param.string('id')],
  }

  readonly #factors = inject(SecondFactors)
  readonly #changes = inject(FactorChanges)
  readonly #policy = inject(FactorPolicy)

  async rename(id: string): Promise<View | Response> {
    const { label } = await this.#find(id)
    return this.#namePage(id, { form: blankForm({ label }) })
  }

  async renamePost(id: string, form: Submitted<Name>): Promise<View | Response> {
    await this.#find(id)
    if (!form.ok) return this.#namePage(id, { form, status: 422 })
    const isRenamed = await this.#changes.rename(this.owner(), id, form.value.label)
    return isRenamed ? this.leave('rename.done') : this.turnBack(TurnedAway.noSuchFactor)
  }

  /** The page that asks whether to remove it; the overview when it is the last factor and must stay. */
  async remove(id: string): Promise<View | Response> {
    const found = await this.#find(id)
    if (!(await this.#policy.mayRemove(this.account().id, id))) return this.turnBack(TurnedAway.lastFactor)
    const page = { title: 'remove.title', page: 'security', narrow: true, here: '' }
    return this.page('security/remove', { ...page, id, ...found })
  }

  /** Removes it. Every other session of the account ends, and its owner gets a mail. */
  async removePost(id: string): Promise<Response> {
    const { isLast } = await this.#find(id)
    const removed = await this.#changes.remove(await this.changing(), id)
    if (removed === 'last') return this.turnBack(TurnedAway.lastFactor)
    if (removed === 'unknown') return this.turnBack(TurnedAway.noSuchFactor)
    // It may be the one that was proven: the next change asks again.
    await this.goOn(removed, 'drop')
    return this.leave(isLast ? 'remove.done-last' : 'remove.done')
  }

  async #find(id: string): Promise<{ readonly label: string; readonly isLast: boolean }> {
    const held = await this.#factors.held(this.account().id)
    const found = held.find((factor) => factor.id === id)
    if (found === undefined) return this.turnBack(TurnedAway.noSuchFactor)
    return { label: this.shownLabel(found.label), isLast: held.length === 1 }
  }

  #namePage(id: string, state: FormPage): View {
    const page = { title: 'rename.title', page: 'security', narrow: true, here: '', factor: { id } }
    return this.page('security/rename', page, state)
  }
}
