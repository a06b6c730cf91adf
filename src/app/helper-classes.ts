import { EventEmitter } from 'node:events'
import { Duplex, PassThrough, Readable, Stream, Transform, Writable } from 'node:stream'
import { Controller } from './controller.ts'

// Classes of Node are no globals, so that routing cannot tell them from the application's.
const CLASSES = [Controller, EventEmitter, Stream, Readable, Writable, Duplex, Transform, PassThrough]

/** Prototypes whose methods a controller may inherit, and which no URL may call. */
export const HELPERS: readonly object[] = CLASSES.map(({ prototype }) => prototype)
