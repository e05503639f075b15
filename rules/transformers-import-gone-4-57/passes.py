try:
    from transformers import BeamSearchScorer
except ImportError:
    BeamSearchScorer = None

print(BeamSearchScorer)
