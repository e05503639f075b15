from transformers import BeamSearchScorer

print(BeamSearchScorer)
