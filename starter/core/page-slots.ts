import { type HttpContext, inject } from 'sallyport'
import type { AccountRights } from './account-rights.ts'
import { Parts } from './part.ts'
import type { Slots } from './slots.ts'

/** Fills the places of pages where parts add to them. */
export class PageSlots {
  readonly #all = inject(Parts).slots
  readonly #parts = inject(Parts).all.map(({ slots, slotData }) => ({
    slots,
    data: slotData === undefined ? undefined : inject(slotData),
  }))

  /** @returns Data of the page: `slots` with the templates there, and what they need. `owner`: whose page it is. */
  async fill(
    slot: keyof Slots,
    context: HttpContext,
    owner?: AccountRights,
  ): Promise<Readonly<Record<string, unknown>> & { readonly slots: Slots }> {
    const templates: string[] = []
    const added: Record<string, unknown> = {}
    for (const { slots, data } of this.#parts) {
      const own = slots?.[slot]
      if (own === undefined) continue
      const needed = data === undefined ? {} : await data.dataFor(slot, context, owner)
      if (needed === undefined) continue
      templates.push(...own)
      Object.assign(added, needed)
    }
    return { ...added, slots: { ...this.#all, [slot]: templates } }
  }
}
