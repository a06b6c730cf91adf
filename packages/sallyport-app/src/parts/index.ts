/** Parts of an application that come and go with a folder: their list, and what they add to pages of others. @module */
export { PageSlots, type SlotPart, slotsOf, type SlotSource, type SlotTemplates } from './page-slots.ts'
export { type AnyPart, PartList, type ServiceName, type ServiceOf } from './part-list.ts'
