import { randomBytes } from '../core/internal.ts'

/** A body and its `Content-Type`. */
interface MultipartBody {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/**
 * Encodes a form as browsers do. That of Node sends a file without a name, which is what a file input left empty gives, as
 * a string.
 *
 * @param form Its fields and files.
 * @returns The body.
 * @see HTML standard, multipart/form-data encoding algorithm
 */
export async function multipartBody(form: FormData): Promise<MultipartBody> {
  const boundary = `----sallyport-${randomBytes(12).toString('hex')}`
  const parts: Uint8Array[] = []
  for (const [name, value] of form) {
    const isText = typeof value === 'string'
    const filename = isText ? '' : `; filename="${escaped(value.name)}"`
    const type = isText ? '' : `\r\nContent-Type: ${value.type || 'application/octet-stream'}`
    const head = `Content-Disposition: form-data; name="${escaped(withLineBreaks(name))}"${filename}${type}`
    parts.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`))
    parts.push(isText ? Buffer.from(withLineBreaks(value)) : new Uint8Array(await value.arrayBuffer()))
    parts.push(Buffer.from('\r\n'))
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`))
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(parts) }
}

/**
 * @param text A value of a form.
 * @returns The value with the line breaks that browsers send.
 */
export function withLineBreaks(text: string): string {
  return text.replaceAll(/\r\n|\r|\n/g, '\r\n')
}

function escaped(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
}
