import { droppedName } from '../service/dropped.ts'
import type { ArrayInfo, Codec, Json } from '../service/types.ts'
import type { NodePageProps } from '../store/node-page.tsx'
import { ChunkMap } from './chunk-map.tsx'

const WAYS: Readonly<Record<string, readonly [name: string, meaning: string]>> = {
  pass: ['passed', 'The stored bytes are sent as they are: a byte range of the file.'],
  envelope: ['in an envelope', 'The stored stream is sent as it is, with a header of a few bytes in front.'],
  peel: ['peeled', 'The outer codecs, which not every client knows, are undone; the inner ones stay.'],
  recode: ['recoded', 'Decoded here and encoded again, since clients can’t decode what is stored.'],
}

/** How the array is stored, how it is served, and where its chunks are. */
export function StorageTab({ array, segment, path }: NodePageProps & { readonly array: ArrayInfo }) {
  return (
    <>
      <dl class="pairs">
        <dt>Chunks</dt>
        <dd>
          {array.chunk_grid.reduce((count, length) => count * length, 1).toLocaleString()} of{' '}
          {array.chunk_shape.join(' × ') || '1'} values
          {array.edges === 'cropped' && <span class="quiet"> those at the edge are stored cut off</span>}
        </dd>
        <dt>Served as</dt>
        <dd>
          <Codecs codecs={array.codecs} />
        </dd>
        {array.stored.map((codecs, at) => (
          <Encoding key={codecsText(codecs)} codecs={codecs} way={array.delivery[at]} at={at} />
        ))}
        {array.stored.length === 0 && (
          <>
            <dt>Stored as</dt>
            <dd>parts of other arrays, put together when they are asked for</dd>
          </>
        )}
      </dl>
      {droppedName(segment) === undefined && <ChunkMap segment={segment} path={path} array={array} />}
    </>
  )
}

function Encoding({ codecs, way = '', at }: { codecs: readonly Codec[]; way: string | undefined; at: number }) {
  const [name, meaning] = WAYS[way] ?? [way, '']
  return (
    <>
      <dt>{at === 0 ? 'Stored as' : `Encoding ${at + 1}`}</dt>
      <dd>
        <Codecs codecs={codecs} />
        <p class="way">
          <span class="tag">{name}</span> {meaning}
        </p>
      </dd>
    </>
  )
}

function Codecs({ codecs }: { readonly codecs: readonly Codec[] }) {
  if (codecs.length === 0) return <>nothing around the plain bytes</>
  return (
    <ol class="codecs">
      {codecs.map((codec) => (
        <li key={codec.name}>
          <code>{codec.name}</code> <span class="quiet">{configurationText(codec.configuration)}</span>
        </li>
      ))}
    </ol>
  )
}

function codecsText(codecs: readonly Codec[]): string {
  return codecs.map(({ name, configuration }) => `${name} ${configurationText(configuration)}`).join(' ')
}

const LONG = 120

function configurationText(configuration: Json | undefined): string {
  if (typeof configuration !== 'object' || configuration === null) return ''
  const text = Object.entries(configuration)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ')
  return text.length > LONG ? `${text.slice(0, LONG)}…` : text
}
