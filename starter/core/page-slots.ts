import { inject } from 'sallyport'
import { PageSlots as AnyPageSlots } from 'sallyport-app/parts'
import type { AccountRights } from './account-rights.ts'
import { Parts } from './part.ts'
import { SLOTS, type Slots } from './slots.ts'

/** Fills the places of pages where parts add to them. */
export class PageSlots extends AnyPageSlots<keyof Slots, AccountRights> {
  constructor() {
    super(SLOTS, inject(Parts))
  }
}
