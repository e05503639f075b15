try:
    from peft.tuners.tuners_utils import ModulesToSaveWrapper
except ImportError:
    ModulesToSaveWrapper = None

print(ModulesToSaveWrapper)
