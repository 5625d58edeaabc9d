import type { Choices } from '../helpers/choices.ts'
import { DEGREES, GdalElements, METRES } from './gdal-elements.ts'
import type { ElementCounts } from './generator.ts'
import { FLOATS, GDAL_TYPES, SIZE, SOURCES, type Source, WIDER } from './vrt-rasters.ts'
import { type XmlNode as Node, SPELLINGS, XmlSpeller } from './xml-speller.ts'

const DATASET = [
  'VRTDataset@rasterXSize',
  'VRTDataset@rasterYSize',
  'VRTDataset@subClass',
  'SRS',
  'SRS@dataAxisToSRSAxisMapping',
  'GeoTransform',
  'Metadata',
  'Metadata@domain',
  'MDI',
  'MDI@key',
  'MaskBand',
  'GCPList',
  'OverviewList',
  'BlockXSize',
  'BlockYSize',
  'unknown of the dataset',
] as const
const BAND = [
  'VRTRasterBand',
  'VRTRasterBand@dataType',
  ...Object.values(GDAL_TYPES).map((type) => `dataType ${type}`),
  'dataType absent',
  'dataType of no array',
  'VRTRasterBand@band',
  'VRTRasterBand@subClass',
  'VRTRasterBand@subClass of a computed band',
  'VRTRasterBand@blockXSize',
  'VRTRasterBand@blockYSize',
  'NoDataValue',
  'NoDataValue beyond the type',
  'NoDataValue with a fraction',
  'HideNoDataValue',
  'Description',
  'UnitType',
  'Scale',
  'Offset',
  'ColorInterp',
  'ColorTable',
  'CategoryNames',
  'Histograms',
  'GDALRasterAttributeTable',
  'Overview',
  'PixelFunctionType',
  'NBITS',
  'VRTRasterBand/MaskBand',
  'unknown of a band',
  'several bands',
  'band without a source',
  'several sources',
] as const
const SOURCE = [
  'SimpleSource',
  'ComplexSource',
  'AveragedSource',
  'KernelFilteredSource',
  'NoDataFromMaskSource',
  'source in another case',
  'source of a VRT',
  'SourceFilename',
  'SourceFilename@relativeToVRT',
  'SourceFilename@shared',
  'SourceBand',
  'SourceBand mask',
  'SourceProperties',
  'SrcRect',
  'SrcRect@xOff',
  'SrcRect@yOff',
  'SrcRect@xSize',
  'SrcRect@ySize',
  'DstRect',
  'DstRect@xOff',
  'DstRect@yOff',
  'DstRect@xSize',
  'DstRect@ySize',
  'SrcRect alone',
  'DstRect alone',
  'no windows',
  'windows of unequal size',
  'window number absent',
  'window outside of the raster',
  'window between pixels',
  'SimpleSource@resampling',
  'SimpleSource@name',
  'OpenOptions',
  'NODATA',
  'NODATA in a SimpleSource',
  'NODATA nan',
  'NODATA beyond the type',
  'NODATA with a fraction',
  'UseMaskBand',
  'UseMaskBand false',
  'NODATA with UseMaskBand',
  'ScaleRatio',
  'ScaleOffset',
  'ScaleRatio with NODATA',
  'Exponent',
  'DstMin',
  'DstMax',
  'SrcMin',
  'SrcMax',
  'LUT',
  'ColorTableComponent',
  'unknown of a source',
] as const

export const VRT_ELEMENTS: readonly string[] = [...SPELLINGS, ...DATASET, ...BAND, ...SOURCE]

/** A random virtual raster of the grammar that GDAL's reader accepts. */
export function vrtDocument(choices: Choices, counts: ElementCounts): string {
  return new VrtWriter(choices, counts).document()
}

const AREA = { key: 'AREA', value: 'seven' }

class VrtWriter {
  readonly #choices: Choices
  readonly #elements: GdalElements
  readonly #speller: XmlSpeller

  constructor(choices: Choices, counts: ElementCounts) {
    this.#choices = choices
    this.#elements = new GdalElements(choices, counts)
    this.#speller = new XmlSpeller(choices, counts)
  }

  document(): string {
    const { width, height } = { width: SIZE + this.#choices.below(3) * 16, height: SIZE + this.#choices.below(17) }
    const bands = this.#choices.isTrue(0.15) ? 2 + this.#choices.below(2) : 1
    if (bands > 1) this.#elements.count('several bands')
    const file = this.#source()
    const type = this.#typeFor(file)
    const nodata = this.#bandNodata(type)
    const isAlike = this.#choices.isTrue(0.7)
    const list = Array.from({ length: bands }, (_none, at) => {
      const own = isAlike || at === 0 ? type : this.#typeFor(file)
      return this.#band(at, own, own === type ? nodata : this.#bandNodata(own), bands, file)
    })
    const hasOwnMask = list.some(({ children = [] }) => children.some(({ name }) => name === 'MaskBand'))
    const children: Node[] = [
      ...this.#elements.maybe(0.3, () => this.#elements.srs()),
      ...this.#elements.maybe(0.4, () =>
        this.#elements.geoTransform(() => (this.#choices.isTrue(0.8) ? METRES : DEGREES)),
      ),
      ...this.#elements.maybe(0.1, () => this.#elements.metadata(AREA)),
      ...(hasOwnMask ? [] : this.#elements.maybe(0.08, () => this.#maskBand('MaskBand'))),
      ...this.#elements.maybe(0.02, () => this.#elements.ignored('GCPList', 'GCPList')),
      ...this.#elements.maybe(0.02, () => this.#elements.text('OverviewList', '2')),
      ...this.#elements.maybe(0.03, () => this.#elements.text('BlockXSize', '64')),
      ...this.#elements.maybe(0.03, () => this.#elements.text('BlockYSize', '64')),
      ...this.#elements.maybe(0.02, () => this.#elements.ignored('Foo', 'unknown of the dataset')),
      ...list,
    ]
    this.#elements.count('VRTDataset@rasterXSize')
    this.#elements.count('VRTDataset@rasterYSize')
    const subClass = this.#choices.isTrue(0.02) ? [['subClass', 'vrtwarpeddataset'] as const] : []
    if (subClass.length > 0) this.#elements.count('VRTDataset@subClass')
    const root: Node = {
      name: 'VRTDataset',
      isExact: true,
      attributes: [['rasterXSize', String(width)], ['rasterYSize', String(height)], ...subClass],
      children,
    }
    return this.#speller.spell(root, true)
  }

  #source(): Source {
    return this.#choices.one(SOURCES as [Source, ...Source[]])
  }

  #typeFor({ dtype }: Source): string {
    return this.#choices.isTrue(0.04) ? 'float16' : this.#choices.one(WIDER[dtype] ?? ['float64'])
  }

  #maskBand(element: string): Node {
    this.#elements.count(element)
    const source: Node = {
      name: 'SimpleSource',
      isExact: true,
      children: [
        this.#file(this.#choices.one(['uint8_mask.tif', 'uint8_nodata.tif', 'alpha.tif'])),
        this.#sourceBand('mask,1'),
        ...this.#windows({ isMask: true }),
      ],
    }
    const band: Node = { name: 'VRTRasterBand', attributes: [['dataType', 'Byte']], children: [source] }
    return { name: 'MaskBand', isPlain: true, children: [band] }
  }

  #band(at: number, type: string, nodata: readonly Node[], bands: number, first: Source): Node {
    this.#elements.count('VRTRasterBand')
    const attributes: [string, string][] = []
    const isAbsent = type === 'uint8' && this.#choices.isTrue(0.3)
    if (isAbsent) this.#elements.count('dataType absent')
    else if (this.#choices.isTrue(0.015)) {
      this.#elements.count('dataType of no array')
      attributes.push(['dataType', 'CInt16'])
    } else {
      this.#elements.count('VRTRasterBand@dataType')
      this.#elements.count(`dataType ${GDAL_TYPES[type]}`)
      attributes.push(['dataType', this.#speller.inCase(GDAL_TYPES[type] ?? '')])
    }
    for (const [name, value, probability] of [
      ['band', String(at + 1), 0.8],
      ['subClass', this.#choices.one(['VRTSourcedRasterBand', 'vrtsourcedrasterband']), 0.1],
      ['blockXSize', '64', 0.04],
      ['blockYSize', '64', 0.04],
    ] as const) {
      if (!this.#choices.isTrue(probability)) continue
      this.#elements.count(`VRTRasterBand@${name}`)
      attributes.push([name, value])
    }
    if (this.#choices.isTrue(0.015) && !attributes.some(([name]) => name === 'subClass')) {
      this.#elements.count('VRTRasterBand@subClass of a computed band')
      attributes.push(['subClass', 'VRTDerivedRasterBand'])
    }
    const sources = this.#sources(type, first, nodata)
    const children: Node[] = [
      ...nodata,
      ...this.#elements.maybe(0.08, () => this.#elements.text('Description', `band ${at + 1}`)),
      ...this.#elements.maybe(0.08, () => this.#elements.text('UnitType', 'm')),
      ...this.#elements.maybe(0.1, () => this.#elements.number('Scale', this.#choices.one(['0.5', '2', '0.1', '1']))),
      ...this.#elements.maybe(0.1, () =>
        this.#elements.number('Offset', this.#choices.one(['-3', '0.25', '0', '100'])),
      ),
      ...this.#elements.maybe(0.08, () =>
        this.#elements.text('ColorInterp', this.#choices.one(['Gray', 'Red', 'palette'])),
      ),
      ...['ColorTable', 'CategoryNames', 'Histograms', 'GDALRasterAttributeTable'].flatMap((name) =>
        this.#elements.maybe(0.02, () => this.#elements.ignored(name, name)),
      ),
      ...this.#elements.maybe(0.02, () => this.#overview()),
      ...this.#elements.maybe(0.012, () => this.#elements.text('PixelFunctionType', 'sum')),
      ...this.#elements.maybe(0.08, () => this.#elements.metadata(AREA)),
      ...this.#elements.maybe(0.02, () => this.#bits()),
      ...this.#elements.maybe(bands > 1 ? 0.01 : 0.05, () => this.#maskBand('VRTRasterBand/MaskBand')),
      ...this.#elements.maybe(0.02, () => this.#elements.ignored('NoDataSource', 'unknown of a band')),
      ...sources,
    ]
    return { name: 'VRTRasterBand', attributes, children }
  }

  #overview(): Node {
    this.#elements.count('Overview')
    return { name: 'Overview', isPlain: true, children: [{ name: 'SourceFilename', text: 'uint8.tif', isPlain: true }] }
  }

  #bits(): Node {
    this.#elements.count('NBITS')
    return this.#elements.metadata({ domain: 'IMAGE_STRUCTURE', key: 'NBITS', value: '2' })
  }

  #bandNodata(type: string): Node[] {
    if (!this.#choices.isTrue(0.5)) return []
    const isFloat = type.startsWith('float')
    const kind = this.#choices.fraction()
    const isBeyond = kind < 0.06
    const isFraction = !isBeyond && kind < 0.12 && !isFloat
    if (isBeyond) this.#elements.count('NoDataValue beyond the type')
    if (isFraction) this.#elements.count('NoDataValue with a fraction')
    const usual = this.#choices.one<string>([
      '0',
      '1',
      '3',
      '5',
      '9',
      '100',
      ...(isFloat ? ['nan', '-inf', '3.5'] : []),
    ])
    const beyond = isFloat && type !== 'float16' ? '1e300' : type.startsWith('u') ? '-7' : '70000'
    const text = isBeyond ? beyond : isFraction ? '2.5' : usual
    const hidden = this.#elements.maybe(0.1, () =>
      this.#elements.text('HideNoDataValue', this.#choices.one(['1', 'TRUE', 'yes', '0', 'False', 'off'])),
    )
    return [this.#elements.number('NoDataValue', text), ...hidden]
  }

  /** Points are marked as missing by a value exactly, where GDAL's masks of floats take its neighbours for it. */
  #sources(type: string, wanted: Source, nodata: readonly Node[]): Node[] {
    const isNearNodata = nodata.some(({ text }) => text === '3')
    const first = wanted.isNear && isNearNodata ? FLOATS : wanted
    if (this.#choices.isTrue(0.04)) {
      this.#elements.count('band without a source')
      return []
    }
    const count = this.#choices.isTrue(0.5) ? 1 : 2 + this.#choices.below(2)
    if (count > 1) this.#elements.count('several sources')
    const fitting = SOURCES.filter(
      ({ dtype, isNear }) => WIDER[dtype]?.includes(type) === true && !(isNear && isNearNodata),
    )
    return Array.from({ length: count }, (_none, at) =>
      this.#sourceNode(
        at === 0 || fitting.length === 0 ? first : this.#choices.one(fitting as [Source, ...Source[]]),
        type,
      ),
    )
  }

  #file(file: string): Node {
    this.#elements.count('SourceFilename')
    this.#elements.count('SourceFilename@relativeToVRT')
    const shared = this.#choices.isTrue(0.05)
    if (shared) this.#elements.count('SourceFilename@shared')
    return {
      name: 'SourceFilename',
      text: file,
      isPlain: true,
      attributes: [
        ['relativeToVRT', this.#choices.one(['1', '1', '1', '01', '-1'])],
        ...(shared ? [['shared', '0'] as const] : []),
      ],
    }
  }

  #sourceBand(text: string): Node {
    this.#elements.count('SourceBand')
    if (!text.startsWith('mask')) return { name: 'SourceBand', text, isNumber: true }
    this.#elements.count('SourceBand mask')
    return { name: 'SourceBand', text: this.#choices.isTrue(0.3) ? text.toUpperCase() : text }
  }

  #sourceNode(file: Source, type: string): Node {
    if (file.name.endsWith('.vrt')) this.#elements.count('source of a VRT')
    const kind = this.#choices.fraction()
    const refused = ['AveragedSource', 'KernelFilteredSource', 'NoDataFromMaskSource'] as const
    const computed = kind < 0.025 ? refused[Math.floor(kind / 0.0085)] : undefined
    const isSimple = kind > 0.55
    const name = computed ?? (isSimple ? 'SimpleSource' : 'ComplexSource')
    const isMiscased = computed === undefined && this.#choices.isTrue(0.02)
    this.#elements.count(isMiscased ? 'source in another case' : name)
    const isMask = this.#choices.isTrue(0.05) && !type.startsWith('int8')
    const attributes: [string, string][] = []
    for (const key of ['resampling', 'name'] as const) {
      if (!this.#choices.isTrue(0.03)) continue
      this.#elements.count(`SimpleSource@${key}`)
      attributes.push([key, 'near'])
    }
    const children: Node[] = [
      this.#file(file.name),
      ...this.#elements.maybe(file.bands > 1 || isMask ? 1 : 0.8, () =>
        this.#sourceBand(isMask ? 'mask,1' : String(1 + this.#choices.below(file.bands))),
      ),
      ...this.#elements.maybe(0.1, () => this.#sourceProperties()),
      ...this.#windows({ isMask: false }),
      ...this.#elements.maybe(0.015, () => this.#openOptions()),
      ...this.#elements.maybe(0.02, () => this.#elements.ignored('Bar', 'unknown of a source')),
      ...(isSimple
        ? this.#elements.maybe(0.05, () => this.#elements.number('NODATA', '3', 'NODATA in a SimpleSource'))
        : this.#complex(file, type)),
    ]
    const spelled = isMiscased ? name.toLowerCase() : name
    return { name: spelled, isExact: true, attributes, children }
  }

  #sourceProperties(): Node {
    this.#elements.count('SourceProperties')
    return {
      name: 'SourceProperties',
      isPlain: true,
      attributes: [
        ['RasterXSize', '32'],
        ['RasterYSize', '32'],
        ['DataType', 'Byte'],
        ['BlockXSize', '16'],
        ['BlockYSize', '16'],
      ],
    }
  }

  #openOptions(): Node {
    this.#elements.count('OpenOptions')
    const option: Node = { name: 'OOI', isPlain: true, attributes: [['key', 'NUM_THREADS']], text: '1' }
    return { name: 'OpenOptions', isPlain: true, children: [option] }
  }

  #complex(file: Source, type: string): Node[] {
    const nodes: Node[] = []
    const isFloat = file.dtype.startsWith('float')
    const hasNodata = this.#choices.isTrue(0.5)
    const hasMask = this.#choices.isTrue(0.25)
    const hasScale = this.#choices.isTrue(0.25)
    if (hasNodata) nodes.push(this.#nodata(isFloat))
    if (hasMask) nodes.push(this.#useMask())
    if (hasNodata && hasMask) this.#elements.count('NODATA with UseMaskBand')
    if (hasScale) {
      const values: readonly [string, ...string[]] = type.startsWith('float')
        ? ['2', '0.1', '-1', '0.5']
        : ['2', '3', '1', '0.5']
      if (this.#choices.isTrue(0.8)) nodes.push(this.#elements.number('ScaleRatio', this.#choices.one(values)))
      if (this.#choices.isTrue(0.6))
        nodes.push(this.#elements.number('ScaleOffset', this.#choices.one(['1', '0', '10', '0.25'])))
      if (hasNodata) this.#elements.count('ScaleRatio with NODATA')
    }
    for (const name of ['SrcMin', 'SrcMax', 'DstMin', 'DstMax', 'Exponent'] as const)
      nodes.push(...this.#elements.maybe(0.05, () => this.#elements.number(name, '2')))
    for (const [name, text] of [
      ['LUT', '0:1,7:3'],
      ['ColorTableComponent', '1'],
    ] as const)
      nodes.push(...this.#elements.maybe(0.025, () => this.#elements.text(name, text)))
    return nodes
  }

  #nodata(isFloat: boolean): Node {
    const kind = this.#choices.fraction()
    if (kind < 0.08) {
      this.#elements.count('NODATA beyond the type')
      return this.#elements.number('NODATA', isFloat ? '1e300' : '-70000')
    }
    if (kind < 0.16) {
      this.#elements.count('NODATA with a fraction')
      return this.#elements.number('NODATA', this.#choices.one(['2.5', '3.5', '1.25']))
    }
    if (kind < 0.24) {
      this.#elements.count('NODATA nan')
      return this.#elements.number('NODATA', 'nan')
    }
    return this.#elements.number('NODATA', this.#choices.one(['0', '1', '2', '3', '5', '7']))
  }

  #useMask(): Node {
    const isTrue = this.#choices.isTrue(0.75)
    if (!isTrue) this.#elements.count('UseMaskBand false')
    return this.#elements.text(
      'UseMaskBand',
      isTrue ? this.#choices.one(['true', '1', 'YES', 'on']) : this.#choices.one(['false', '0', 'No']),
    )
  }

  #windows({ isMask }: { readonly isMask: boolean }): Node[] {
    const kind = isMask ? 0.5 : this.#choices.fraction()
    if (kind < 0.2) {
      this.#elements.count('no windows')
      return []
    }
    const isAligned = this.#choices.isTrue(0.5)
    const cut = isAligned || isMask ? 0 : this.#choices.below(10)
    const size = SIZE - cut - (isAligned || isMask ? 0 : this.#choices.below(8))
    const to = isMask ? 0 : isAligned ? 16 * this.#choices.below(3) : this.#choices.below(40) - 8
    const row = isMask ? 0 : isAligned ? 16 * this.#choices.below(2) : this.#choices.below(20) - 5
    let from = { xOff: cut, yOff: cut, xSize: size, ySize: size } as Record<string, number>
    let at = { xOff: to, yOff: row, xSize: size, ySize: size } as Record<string, number>
    if (kind > 0.985) {
      this.#elements.count('windows of unequal size')
      at = { ...at, xSize: size * 2 }
    } else if (kind > 0.97) {
      this.#elements.count('window outside of the raster')
      from = { ...from, xOff: 20 }
    } else if (kind > 0.95) {
      this.#elements.count('window between pixels')
      at = { ...at, xOff: to + this.#choices.one([0.0004, 0.5, -0.0004]) }
    }
    const nodes = [this.#rectangle('SrcRect', from, isMask), this.#rectangle('DstRect', at, isMask)] as const
    if (kind > 0.93 && kind <= 0.95) {
      const [src, dst] = nodes
      const isSource = this.#choices.isTrue(0.5)
      this.#elements.count(isSource ? 'SrcRect alone' : 'DstRect alone')
      return [isSource ? src : dst]
    }
    return [...nodes]
  }

  #rectangle(name: string, numbers: Readonly<Record<string, number>>, isMask: boolean): Node {
    this.#elements.count(name)
    const keys = Object.keys(numbers)
    const absent = !isMask && this.#choices.isTrue(0.015) ? this.#choices.one(keys as [string]) : undefined
    if (absent !== undefined) this.#elements.count('window number absent')
    const attributes = keys.flatMap((key): [string, string][] => {
      if (key === absent) return []
      this.#elements.count(`${name}@${key}`)
      return [[key, this.#speller.numberText(String(numbers[key]))]]
    })
    return { name, attributes }
  }
}
