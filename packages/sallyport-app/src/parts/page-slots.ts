import { type HttpContext, inject } from 'sallyport'
import type { AnyPart, PartList } from './part-list.ts'

type Values = Readonly<Record<string, unknown>>

/** Templates by the places of pages where parts add them. Each gets the data of the page. */
export type SlotTemplates<Slot extends string> = Readonly<Record<Slot, readonly string[]>>

/** Gives the templates of a part in pages of others what they need: a service. */
export interface SlotSource<Slot extends string, Owner> {
  /**
   * Asks for it.
   *
   * @param slot Where the templates are.
   * @param context The request.
   * @param owner Whose page it is; undefined where nobody is signed in.
   * @returns What its templates there need beside the data of the page; undefined where they are left out.
   */
  dataFor(slot: Slot, context: HttpContext, owner: Owner | undefined): Promise<Values | undefined>
}

/** A part that adds to pages of others. */
export interface SlotPart<Slot extends string, Owner> extends AnyPart {
  /** Templates that it adds. Default: none. */
  readonly slots?: Partial<SlotTemplates<Slot>>
  /** Gives its templates there what they need. Default: they need nothing, and are always there. */
  readonly slotData?: new () => SlotSource<Slot, Owner>
}

/** Fills the places of pages where parts add to them. */
export class PageSlots<Slot extends string, Owner> {
  /** What parts add, in the order of the parts. */
  readonly all: SlotTemplates<Slot>
  readonly #parts: readonly {
    readonly slots?: Partial<SlotTemplates<Slot>> | undefined
    readonly data: SlotSource<Slot, Owner> | undefined
  }[]

  /**
   * @param names Names of the places.
   * @param parts The parts.
   */
  constructor(names: readonly Slot[], parts: PartList<SlotPart<Slot, Owner>>) {
    this.all = slotsOf(names, parts)
    this.#parts = parts.all.map(({ slots, slotData }) => ({
      slots,
      data: slotData === undefined ? undefined : inject(slotData),
    }))
  }

  /**
   * Gives a page the data of its places.
   *
   * @param slots Their names.
   * @param context The request.
   * @param owner Whose page it is. Default: nobody is signed in.
   * @returns Data of the page: `slots` with the templates there, and what they need.
   */
  async dataFor(
    slots: readonly Slot[],
    context: HttpContext,
    owner?: Owner,
  ): Promise<Values & { readonly slots: SlotTemplates<Slot> }> {
    const filled: Partial<Record<Slot, readonly string[]>> = {}
    const added: Record<string, unknown> = {}
    for (const slot of slots) {
      const templates: string[] = []
      for (const { slots: ofPart, data } of this.#parts) {
        const own = ofPart?.[slot]
        if (own === undefined) continue
        const needed = data === undefined ? {} : await data.dataFor(slot, context, owner)
        if (needed === undefined) continue
        templates.push(...own)
        Object.assign(added, needed)
      }
      filled[slot] = templates
    }
    return { ...added, slots: { ...this.all, ...filled } }
  }
}

/**
 * Lists what parts add to pages of others.
 *
 * @param names Names of the places.
 * @param parts The parts.
 * @returns Their templates, in the order of the parts.
 */
export function slotsOf<Slot extends string>(
  names: readonly Slot[],
  parts: PartList<SlotPart<Slot, never>>,
): SlotTemplates<Slot> {
  const added = names.map((name) => [name, parts.all.flatMap(({ slots }) => slots?.[name] ?? [])])
  return Object.fromEntries(added) as SlotTemplates<Slot>
}
