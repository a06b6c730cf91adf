import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'

import type { StreamedEvent } from 'sallyport'

import { formatEvent, parseLastEventId } from '../../src/app/event-format.ts'

/** What a client makes of a stream, by the steps of the HTML standard (9.2.6). */
function dispatched(stream: string): { data: string; id: string; event: string }[] {
  const events: { data: string; id: string; event: string }[] = []
  let [data, event, id] = ['', '', '']
  for (const line of stream.split(/\r\n|\r|\n/)) {
    if (line === '') {
      if (data !== '') events.push({ data: data.replace(/\n$/, ''), id, event: event || 'message' })
      data = event = ''
      continue
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? []
    if (name === 'data') data += `${value}\n`
    else if (name === 'event') event = value
    else if (name === 'id' && !value.includes('\0')) id = value
  }
  return events
}

describe('formatEvent()', () => {
  it('writes data, id and name so that a client reads just them [PAGE-12]', () => {
    const rows: [StreamedEvent, string][] = [
      [{ data: 'hello' }, 'data: hello\n\n'],
      [{ data: '' }, 'data: \n\n'],
      [{ data: ' two  blanks' }, 'data:  two  blanks\n\n'],
      [{ data: 'one\ntwo\r\nthree\rfour\n' }, 'data: one\ndata: two\ndata: three\ndata: four\ndata: \n\n'],
      [{ data: { count: 1, text: 'a\nb' } }, 'data: {"count":1,"text":"a\\nb"}\n\n'],
      [{ data: null }, 'data: null\n\n'],
      [{ data: 7, id: 7, event: 'reading' }, 'id: 7\nevent: reading\ndata: 7\n\n'],
      [{ id: '' }, 'id: \n\n'],
      [{ id: 'é·✓', data: 'x' }, 'id: é·✓\ndata: x\n\n'],
    ]
    for (const [event, text] of rows) assert.equal(formatEvent(event), text)
  })

  it('gives a client any text in one event, line breaks as line feeds [PAGE-12]', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ':', ' ', '\n', '\r', '\0', '✓') }), (data) => {
        const events = dispatched(formatEvent({ data, id: 'i' }))

        assert.deepEqual(events, [{ data: data.replaceAll(/\r\n?/g, '\n'), id: 'i', event: 'message' }])
      }),
    )
  })

  it('refuses ids and names that would end their line, or not come back as they were [PAGE-12]', () => {
    for (const id of ['a\nb', 'a\rb', 'a\0b', '\u0007', ' a', 'a ', '\ud800', 'x'.repeat(1025), {}, null])
      assert.throws(() => formatEvent({ id, data: 'x' }), /Cannot send the event id/, String(id))
    for (const event of ['a\nb', 'a\rb', '', 1, null])
      assert.throws(() => formatEvent({ event, data: 'x' }), /Cannot send the event name/, String(event))
  })

  it('refuses what is no event, and data that JSON would empty [PAGE-12]', () => {
    for (const event of ['text', 1, null, undefined, ['a'], {}])
      assert.throws(() => formatEvent(event), TypeError)
    for (const data of [new Map(), 1n, () => 1, Promise.resolve(1)])
      assert.throws(() => formatEvent({ data }), TypeError)
  })
})

describe('parseLastEventId()', () => {
  it('gives back each id that can be sent [PAGE-12]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        try {
          formatEvent({ id })
        } catch {
          return
        }
        // As a client sends it: the bytes of its UTF-8.
        assert.equal(parseLastEventId(Buffer.from(id).toString('latin1')), id)
      }),
    )
  })

  it('is null for one that was not sent, or that no stream can have sent [PAGE-12]', () => {
    for (const header of [null, '', 'a\tb', '\u0080', 'é', 'x'.repeat(1025), 'a\u007f'])
      assert.equal(parseLastEventId(header), null, String(header))
  })
})
