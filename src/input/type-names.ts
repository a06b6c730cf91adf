import { TOLD_TYPES } from './told-types.ts'
import { nearest } from '../core/internal.ts'
import { TEXT, UNKNOWN_KIND } from './file-kind.ts'

// What people write for the type that the bytes tell, and for types that the bytes do not tell from others.
const MEANT: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'audio/mp3': 'audio/mpeg',
  'video/mov': 'video/quicktime',
  'application/x-zip-compressed': 'application/zip',
  'application/x-pdf': 'application/pdf',
  'application/msword': 'application/x-cfb',
  'application/vnd.ms-excel': 'application/x-cfb',
  'application/vnd.ms-powerpoint': 'application/x-cfb',
  'image/svg': 'text/plain',
  'image/svg+xml': 'text/plain',
  'application/json': 'text/plain',
}

const OFFICE = 'application/vnd.openxmlformats-officedocument.'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.'

// Where the last part of a type is not what people call it.
const NAMES: Readonly<Record<string, string>> = {
  [`${OFFICE}wordprocessingml.document`]: 'DOCX',
  [`${OFFICE}spreadsheetml.sheet`]: 'XLSX',
  [`${OFFICE}presentationml.presentation`]: 'PPTX',
  [`${OPEN_DOCUMENT}text`]: 'ODT',
  [`${OPEN_DOCUMENT}spreadsheet`]: 'ODS',
  [`${OPEN_DOCUMENT}presentation`]: 'ODP',
  'application/epub+zip': 'EPUB',
  'application/x-7z-compressed': '7Z',
  'application/x-cfb': 'DOC, XLS, PPT',
  'application/x-rar-compressed': 'RAR',
  'audio/mpeg': 'MP3',
  'image/vnd.adobe.photoshop': 'PSD',
  'text/plain': 'text',
  'video/matroska': 'MKV',
  'video/quicktime': 'MOV',
  'video/vnd.avi': 'AVI',
}

/**
 * @param type A media type.
 * @returns Whether the bytes of a file can tell it.
 */
export function canBeTold(type: string): boolean {
  return TOLD_TYPES.has(type) || type === TEXT.type || type === UNKNOWN_KIND.type
}

/**
 * @param type A media type that the bytes of no file tell.
 * @returns The one that may be meant; undefined for none.
 */
export function meantType(type: string): string | undefined {
  if (type.startsWith('text/')) return TEXT.type
  return Object.hasOwn(MEANT, type) ? MEANT[type] : nearest(type, TOLD_TYPES)
}

/**
 * @param type A media type.
 * @returns Its name for people: `JPEG`, `DOCX`.
 */
export function nameOfType(type: string): string {
  const name = Object.hasOwn(NAMES, type) ? NAMES[type] : undefined
  return name ?? type.replace(/^.*\/(?:x-)?/, '').toUpperCase()
}
