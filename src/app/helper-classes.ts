import { EventEmitter } from 'node:events'
import { Duplex, PassThrough, Readable, Stream, Transform, Writable } from 'node:stream'
import { Controller } from './controller.ts'

// Node's classes are not globals, so routing cannot distinguish them from classes of the application.
const CLASSES = [Controller, EventEmitter, Stream, Readable, Writable, Duplex, Transform, PassThrough]

/** Prototypes whose methods a controller may inherit but no URL may call. */
export const HELPERS: readonly object[] = CLASSES.map(({ prototype }) => prototype)
