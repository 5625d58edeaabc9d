"""The codecs of imagecodecs as zarr-python takes them, by the names that virtual-tiff publishes."""

import asyncio
from dataclasses import dataclass, field

import imagecodecs
import numpy as np
from zarr.abc.codec import ArrayArrayCodec, BytesBytesCodec
from zarr.core.buffer.cpu import as_numpy_array_wrapper
from zarr.registry import register_codec


@dataclass(frozen=True)
class Described:
    """What all of them have in common: a name and a configuration."""

    is_fixed_size = False
    configuration: dict = field(default_factory=dict)

    @classmethod
    def from_dict(cls, data):
        return cls(configuration=data.get("configuration", {}))

    def to_dict(self):
        return {"name": self.name, "configuration": self.configuration}

    def compute_encoded_size(self, input_byte_length, chunk_spec):
        return input_byte_length


class OfBytes(Described, BytesBytesCodec):
    async def _decode_single(self, chunk, spec):
        return await asyncio.to_thread(as_numpy_array_wrapper, type(self).decoder, chunk, spec.prototype)


class OfArrays(Described, ArrayArrayCodec):
    async def _decode_single(self, chunk, spec):
        values = type(self).undo(chunk.as_ndarray_like(), self.configuration)
        return spec.prototype.nd_buffer.from_ndarray_like(values.reshape(spec.shape))


class Lzw(OfBytes):
    name = "imagecodecs_lzw"
    decoder = staticmethod(imagecodecs.lzw_decode)


class Packbits(OfBytes):
    name = "imagecodecs_packbits"
    decoder = staticmethod(imagecodecs.packbits_decode)


class Delta(OfArrays):
    name = "imagecodecs_delta"

    @staticmethod
    def undo(values, configuration):
        return imagecodecs.delta_decode(values, axis=configuration["axis"], dist=configuration["dist"])


class Floatpred(OfArrays):
    name = "imagecodecs_floatpred"

    @staticmethod
    def undo(values, configuration):
        stored = np.ascontiguousarray(values).view(np.dtype(configuration["dtype"])).reshape(configuration["shape"])
        return imagecodecs.floatpred_decode(stored, axis=configuration["axis"], dist=configuration["dist"])


for codec in (Lzw, Packbits, Delta, Floatpred):
    register_codec(codec.name, codec)
