import type { Jpeg } from './jpeg.ts';
import type { PdfDictionary } from './pdf-file.ts';
import type { PngPixels } from './png.ts';

const COLOURS = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' } as const;

/** The dictionary of a picture in a PDF, whose stream is the picture's bytes as they are. */
export const imageDictionary = (picture: Jpeg | PngPixels): PdfDictionary => ({
  '/Type': '/XObject',
  '/Subtype': '/Image',
  '/Width': picture.width,
  '/Height': picture.height,
  '/ColorSpace': COLOURS[picture.components],
  '/BitsPerComponent': 8,
  ...('predicted' in picture ? decodingOfPng(picture) : decodingOfJpeg(picture)),
});

const decodingOfJpeg = ({ inverted }: Jpeg): PdfDictionary => ({
  '/Filter': '/DCTDecode',
  ...(inverted && { '/Decode': [1, 0, 1, 0, 1, 0, 1, 0] }),
});

const decodingOfPng = ({ width, components, predicted }: PngPixels): PdfDictionary => ({
  '/Filter': '/FlateDecode',
  ...(predicted && { '/DecodeParms': { '/Predictor': 15, '/Colors': components, '/Columns': width } }),
});
